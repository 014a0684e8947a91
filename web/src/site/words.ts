// The words of the site, each in English and in French. One without the other does not compile.
//
// `{name}` is replaced by a value, `{de name}` by "de" and a value, or "d’" before a vowel: "d’Argent". Of `one|more` the value of `n` chooses a form.

import type { Lang } from "../words";
import { ACCOUNT } from "./words/account";
import { ADMIN } from "./words/admin";
import { ARENA } from "./words/arena";
import { BOTS } from "./words/bots";
import { CONTESTS } from "./words/contests";
import { WORKSHOP } from "./words/workshop";
import { WRONG } from "./words/wrong";

export type Pair = readonly [english: string, french: string];

const WORDS = { ...ARENA, ...BOTS, ...CONTESTS, ...ACCOUNT, ...ADMIN, ...WORKSHOP, ...WRONG };

export type Word = keyof typeof WORDS;
export type Words = (word: Word, values?: { [name: string]: string | number }) => string;

const PLURALS = { en: new Intl.PluralRules("en"), fr: new Intl.PluralRules("fr") };

const VOWEL = /^[aeiouâàéèêëîïôûœ]/i;

/** French puts a no-break space before these characters, a thin one before some of them. */
const spaced = (text: string) => text.replace(/ ([;?!])/g, "\u202f$1").replace(/ ([:»%])/g, "\u00a0$1").replace(/« /g, "«\u00a0");

/** The words of a language, with values put in. */
export function speak(lang: Lang): Words {
  const column = lang === "fr" ? 1 : 0;
  return (word, values = {}) => {
    const pair: Pair = WORDS[word];
    const forms = (lang === "fr" ? spaced(pair[column]) : pair[column]).split("|");
    const form = forms.length > 1 && PLURALS[lang].select(Number(values.n)) !== "one" ? forms[1]! : forms[0]!;
    return form.replace(/\{(de )?(\w+)\}/g, (whole, de: string | undefined, name: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      const said = typeof value === "number" ? value.toLocaleString(lang) : value;
      return de ? (VOWEL.test(said) ? `d’${said}` : `de ${said}`) : said;
    });
  };
}

/** Whether a word exists: names of causes and states come from the server. */
export function isWord(word: string): word is Word {
  return Object.hasOwn(WORDS, word);
}

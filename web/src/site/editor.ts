// The CodeMirror editor of this site; loaded when an editor is first shown.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { java } from "@codemirror/lang-java";
import { javascript } from "@codemirror/lang-javascript";
import { python } from "@codemirror/lang-python";
import { rust } from "@codemirror/lang-rust";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { csharp } from "@codemirror/legacy-modes/mode/clike";
import { go } from "@codemirror/legacy-modes/mode/go";
import { perl } from "@codemirror/legacy-modes/mode/perl";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Modes by the name of the language on the server; other languages are plain text. */
const LANGUAGES: { [name: string]: () => Extension } = {
  "Python": python,
  "C++": cpp,
  "C": cpp,
  "Rust": rust,
  "JavaScript": () => javascript(),
  "Java": java,
  "C#": () => StreamLanguage.define(csharp),
  "Go": () => StreamLanguage.define(go),
  "Perl": () => StreamLanguage.define(perl),
  "Bash": () => StreamLanguage.define(shell),
};

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.operatorKeyword], color: "var(--seat-0)", fontWeight: "600" },
  { tag: [tags.string, tags.character, tags.regexp, tags.special(tags.string)], color: "var(--seat-2)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--seat-1)" },
  { tag: [tags.comment, tags.docString], color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.typeName, tags.className, tags.namespace], color: "var(--seat-3)" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.function(tags.variableName), tags.macroName], color: "var(--ink)", fontWeight: "600" },
  { tag: [tags.meta, tags.processingInstruction, tags.annotation], color: "var(--warn)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

const LOOK = {
  "&": { height: "100%", maxHeight: "inherit", color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "14px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--faint)", border: "none", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--wash)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)" },
  ".cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)", outline: "none" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--gold) 25%, transparent)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-textfield, .cm-button": { backgroundColor: "var(--card)", backgroundImage: "none", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px" },
};

export interface Editing {
  set(source: string): void;
  speak(language: string): void;
  paint(dark: boolean): void;
  close(): void;
}

interface Wanted {
  source: string;
  readonly: boolean;
  label: string;
  change: (source: string) => void;
  /** Ctrl+Enter, or Cmd+Enter. */
  enter?: (() => void) | undefined;
}

export function edit(root: ShadowRoot, { source, readonly, label, change, enter }: Wanted): Editing {
  const language = new Compartment();
  const look = new Compartment();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: source,
      extensions: [
        lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
        keymap.of([{ key: "Mod-Enter", run: () => (enter?.(), enter !== undefined) }, ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        EditorState.readOnly.of(readonly),
        EditorView.contentAttributes.of({ "tabindex": "0", "aria-label": label, "spellcheck": "false", "autocorrect": "off", "autocapitalize": "off" }),
        syntaxHighlighting(COLOURS),
        look.of(EditorView.theme(LOOK)),
        language.of([]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) change(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    set(text) {
      const now = view.state.doc.toString();
      if (text !== now) view.dispatch({ changes: { from: 0, to: now.length, insert: text } });
    },
    speak(name) {
      view.dispatch({ effects: language.reconfigure(LANGUAGES[name]?.() ?? []) });
    },
    paint(dark) {
      view.dispatch({ effects: look.reconfigure(EditorView.theme(LOOK, { dark })) });
    },
    close() {
      view.destroy();
    },
  };
}

// The visitor, and the facts about the site that every page uses.

import { settings } from "../settings.svelte";
import type { Lang } from "../words";
import { api, ApiError, trust } from "./api";
import type { Contest, ContestPage, GameInfo, LeagueInfo, Me, Site, Text } from "./wire";
import { speak } from "./words";

/** The key of the permanent contest, which never ends. */
export const STANDING = "arena";

class Session {
  site = $state.raw<Site>();
  me = $state.raw<Me>();
  trouble = $state.raw<ApiError>();
  private others = $state.raw<{ [contest: string]: ContestPage }>({});
  private readonly asked = new Set<string>();

  get user() {
    return this.me?.user ?? undefined;
  }

  get admin(): boolean {
    return this.user?.role === "admin";
  }

  words = $derived(speak(settings.lang));

  /** A text of the server in the visitor's language. */
  text(text: Text): string {
    return text[settings.lang];
  }

  async start(): Promise<void> {
    try {
      [this.site, this.me] = await Promise.all([api.site(), api.me()]);
      trust(this.me.csrf);
      this.trouble = undefined;
    } catch (error) {
      this.trouble = ApiError.of(error);
    }
  }

  /** Loads the account again, after a login, a logout or a change. */
  async refresh(): Promise<void> {
    const me = await api.me();
    trust(me.csrf);
    this.me = me;
  }

  /** Loads the site again after a change. The server caches it for up to two seconds: it is asked twice. */
  async refreshSite(): Promise<void> {
    this.site = await api.site();
    setTimeout(() => void api.site().then((site) => (this.site = site)).catch(() => {}), 2500);
  }

  /** After a signup or login the site uses the language of the account. */
  async entered(): Promise<void> {
    await this.refresh();
    if (this.user && (this.user.lang === "fr" || this.user.lang === "en")) settings.speakIn(this.user.lang);
  }

  async leave(): Promise<void> {
    await api.logout();
    await this.refresh();
  }

  speakIn(lang: Lang): void {
    settings.speakIn(lang);
    if (this.user) void api.change({ lang }).catch(() => {});
  }

  game(name: string): GameInfo | undefined {
    return this.site?.games.find((game) => game.name === name);
  }

  title(game: string): string {
    return this.game(game)?.title ?? game;
  }

  /** A contest; a finished one is loaded on first use. */
  contest(key: string): Contest | undefined {
    return this.site?.contests.find((contest) => contest.key === key) ?? this.pageOf(key)?.contest;
  }

  /** The games of a contest, once they are loaded. */
  gamesOf(key: string): GameInfo[] | undefined {
    return key === STANDING ? this.site?.games : this.pageOf(key)?.games;
  }

  private pageOf(key: string): ContestPage | undefined {
    if (!this.asked.has(key)) {
      this.asked.add(key);
      void api.contest(key).then((page) => (this.others = { ...this.others, [key]: page })).catch(() => this.asked.delete(key));
    }
    return this.others[key];
  }

  gameIn(contest: string, game: string): GameInfo | undefined {
    return this.gamesOf(contest)?.find(({ name }) => name === game);
  }

  leagueIn(contest: string, game: string, tier: number): LeagueInfo | undefined {
    return this.gameIn(contest, game)?.leagues[tier];
  }
}

export const session = new Session();

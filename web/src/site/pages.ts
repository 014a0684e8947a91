// The pages and their addresses. Rarely used pages and the editor are loaded on first use.

import Against from "./pages/Against.svelte";
import Bot from "./pages/Bot.svelte";
import Contest from "./pages/Contest.svelte";
import Contests from "./pages/Contests.svelte";
import Embed from "./pages/Embed.svelte";
import Fight from "./pages/Fight.svelte";
import Game from "./pages/Game.svelte";
import Games from "./pages/Games.svelte";
import Home from "./pages/Home.svelte";
import Leaderboard from "./pages/Leaderboard.svelte";
import LogIn from "./pages/LogIn.svelte";
import Match from "./pages/Match.svelte";
import Matches from "./pages/Matches.svelte";
import MyBots from "./pages/MyBots.svelte";
import NotFound from "./pages/NotFound.svelte";
import Notices from "./pages/Notices.svelte";
import Profile from "./pages/Profile.svelte";
import Reset from "./pages/Reset.svelte";
import Results from "./pages/Results.svelte";
import Search from "./pages/Search.svelte";
import Settings from "./pages/Settings.svelte";
import SignUp from "./pages/SignUp.svelte";
import Submit from "./pages/Submit.svelte";
import Version from "./pages/Version.svelte";

interface Page {
  name: string;
  path: string;
  /** Parameters of the address whose change creates the page again. */
  by?: string[];
  load: () => Promise<{ default: unknown }>;
}

const here = (view: unknown) => () => Promise.resolve({ default: view });

export const PAGES: Page[] = [
  { name: "home", path: "/", load: here(Home) },
  { name: "games", path: "/games", load: here(Games) },
  { name: "game", path: "/games/:game", by: ["game"], load: here(Game) },
  { name: "game", path: "/games/:game/:tab", by: ["game"], load: here(Game) },
  { name: "submit", path: "/submit", load: here(Submit) },
  { name: "submit", path: "/submit/:game", load: here(Submit) },
  { name: "submit", path: "/workshop", load: here(Submit) },
  { name: "submit", path: "/workshop/:game", load: here(Submit) },
  { name: "version", path: "/versions/:id", by: ["id"], load: here(Version) },
  { name: "my-bots", path: "/bots", load: here(MyBots) },
  { name: "bot", path: "/bots/:id", by: ["id"], load: here(Bot) },
  { name: "fight", path: "/bots/:id/fights/:round", by: ["id", "round"], load: here(Fight) },
  { name: "against", path: "/bots/:id/against/:other", by: ["id", "other"], load: here(Against) },
  { name: "search", path: "/search", load: here(Search) },
  { name: "matches", path: "/matches", load: here(Matches) },
  { name: "match", path: "/matches/:id", by: ["id"], load: here(Match) },
  { name: "embed", path: "/embed/matches/:id", by: ["id"], load: here(Embed) },
  { name: "leaderboard", path: "/leaderboard", load: here(Leaderboard) },
  { name: "leaderboard", path: "/leaderboard/:game", load: here(Leaderboard) },
  { name: "profile", path: "/users/:name", by: ["name"], load: here(Profile) },
  { name: "contests", path: "/contests", load: here(Contests) },
  { name: "contest", path: "/contests/:key", by: ["key"], load: here(Contest) },
  { name: "results", path: "/contests/:key/results", by: ["key"], load: here(Results) },
  { name: "signup", path: "/signup", load: here(SignUp) },
  { name: "login", path: "/login", load: here(LogIn) },
  { name: "reset", path: "/reset", load: here(Reset) },
  { name: "settings", path: "/settings", load: here(Settings) },
  { name: "notices", path: "/notices", load: here(Notices) },
  { name: "admin", path: "/admin", load: () => import("./pages/admin/Admin.svelte") },
  { name: "admin", path: "/admin/:tab", load: () => import("./pages/admin/Admin.svelte") },
  { name: "developers", path: "/developers", load: () => import("./pages/Developers.svelte") },
  { name: "not-found", path: "/not-found", load: here(NotFound) },
];

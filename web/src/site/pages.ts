// The pages and their addresses. Those that few see are loaded when they are seen.

import Home from "./pages/Home.svelte";
import Game from "./pages/Game.svelte";
import NotFound from "./pages/NotFound.svelte";

interface Page {
  name: string;
  path: string;
  /** Parts of the address that make it another page. */
  by?: string[];
  load: () => Promise<{ default: unknown }>;
}

const here = (view: unknown) => () => Promise.resolve({ default: view });

export const PAGES: Page[] = [
  { name: "home", path: "/", load: here(Home) },
  { name: "games", path: "/games", load: () => import("./pages/Games.svelte") },
  { name: "game", path: "/games/:game", by: ["game"], load: here(Game) },
  { name: "game", path: "/games/:game/:tab", by: ["game"], load: here(Game) },
  { name: "submit", path: "/submit", load: () => import("./pages/Submit.svelte") },
  { name: "submit", path: "/submit/:game", load: () => import("./pages/Submit.svelte") },
  { name: "version", path: "/versions/:id", by: ["id"], load: () => import("./pages/Version.svelte") },
  { name: "my-bots", path: "/bots", load: () => import("./pages/MyBots.svelte") },
  { name: "bot", path: "/bots/:id", by: ["id"], load: () => import("./pages/Bot.svelte") },
  { name: "matches", path: "/matches", load: () => import("./pages/Matches.svelte") },
  { name: "match", path: "/matches/:id", by: ["id"], load: () => import("./pages/Match.svelte") },
  { name: "leaderboard", path: "/leaderboard", load: () => import("./pages/Leaderboard.svelte") },
  { name: "leaderboard", path: "/leaderboard/:game", load: () => import("./pages/Leaderboard.svelte") },
  { name: "profile", path: "/users/:name", by: ["name"], load: () => import("./pages/Profile.svelte") },
  { name: "contests", path: "/contests", load: () => import("./pages/Contests.svelte") },
  { name: "contest", path: "/contests/:key", by: ["key"], load: () => import("./pages/Contest.svelte") },
  { name: "signup", path: "/signup", load: () => import("./pages/SignUp.svelte") },
  { name: "login", path: "/login", load: () => import("./pages/LogIn.svelte") },
  { name: "reset", path: "/reset", load: () => import("./pages/Reset.svelte") },
  { name: "settings", path: "/settings", load: () => import("./pages/Settings.svelte") },
  { name: "notices", path: "/notices", load: () => import("./pages/Notices.svelte") },
  { name: "admin", path: "/admin", load: () => import("./pages/admin/Admin.svelte") },
  { name: "admin", path: "/admin/:tab", load: () => import("./pages/admin/Admin.svelte") },
  { name: "developers", path: "/developers", load: () => import("./pages/Developers.svelte") },
  { name: "not-found", path: "/not-found", load: here(NotFound) },
];

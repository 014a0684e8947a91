// The API of the server, typed. A request that fails throws an `ApiError` with the cause and a hint.

import type * as Viewer from "../wire";
import type { Source } from "../load";
import type * as Wire from "./wire";

const ROOT = "/api/v1";

export class ApiError extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly hint: string, /** Seconds to wait before the next try. */ readonly wait?: number) {
    super(message);
  }

  static of(error: unknown): ApiError {
    return error instanceof ApiError ? error : new ApiError(0, "offline", error instanceof Error ? error.message : String(error), "");
  }
}

/** The token that proves that a change was requested by this page. */
let csrf = "";

export function trust(token: string): void {
  csrf = token;
}

type Query = { [name: string]: string | number | boolean | undefined };

function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${ROOT}${path}${text ? `?${text}` : ""}`;
}

async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const headers: { [name: string]: string } = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (method !== "GET") headers["x-agon-csrf"] = csrf;
  let response: Response;
  try {
    response = await fetch(path, { method, headers, credentials: "same-origin", ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new ApiError(0, "offline", "", "");
  }
  if (response.ok) return response;
  const refusal = (await response.json().catch(() => undefined)) as Partial<Wire.ErrorBody> | undefined;
  const wrong = refusal?.error;
  throw new ApiError(response.status, wrong?.code ?? `http_${response.status}`, wrong?.message ?? response.statusText, wrong?.hint ?? "", Number(response.headers.get("retry-after")) || undefined);
}

/** Sends any request of the API as it is written, with the account of the visitor. */
export async function rawRequest(method: string, path: string, body?: string): Promise<{ status: number; type: string; body: string }> {
  const headers: { [name: string]: string } = { ...(body === undefined ? {} : { "content-type": "application/json" }), ...(method === "GET" ? {} : { "x-agon-csrf": csrf }) };
  try {
    const response = await fetch(path, { method, headers, credentials: "same-origin", ...(body === undefined ? {} : { body }) });
    const type = response.headers.get("content-type") ?? "";
    return { status: response.status, type, body: /json|text|markdown/.test(type) ? await response.text() : "" };
  } catch {
    return { status: 0, type: "", body: "" };
  }
}

async function json<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await request(method, path, body);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

const get = <T>(path: string, query?: Query) => json<T>("GET", address(path, query));
const text = async (path: string, query?: Query) => (await request("GET", address(path, query))).text();
const post = <T = Wire.Done>(path: string, body: unknown = {}) => json<T>("POST", address(path), body);
const patch = <T = Wire.Done>(path: string, body: unknown) => json<T>("PATCH", address(path), body);
const drop = <T = Wire.Done>(path: string) => json<T>("DELETE", address(path));
const part = encodeURIComponent;

/** Properties of matches to find. */
export type MatchFilters = {
  player?: string | undefined;
  opponent?: string | undefined;
  result?: string | undefined;
  cause?: string | undefined;
  seed?: string | undefined;
  min_turns?: number | undefined;
  max_turns?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
};

export const api = {
  site: () => get<Wire.Site>("/site"),
  statement: (game: string, tier: number, lang: string, contest: string) => text(`/games/${part(game)}/statement`, { tier, lang, contest }),
  kits: (game: string) => get<Wire.Kit[]>(`/games/${part(game)}/kits`),

  me: () => get<Wire.Me>("/me"),
  signup: (ask: Wire.SignupAsk) => post<Wire.Me>("/signup", ask),
  login: (ask: Wire.LoginAsk) => post<Wire.Me>("/login", ask),
  logout: () => post("/logout"),
  change: (ask: Wire.MePatch) => patch<unknown>("/me", ask),
  exportMeAddress: () => address("/me/export"),
  deleteMe: (password: string) => post("/me/delete", { password }),
  reset: (ask: Wire.ResetAsk) => post("/reset", ask),
  requestReset: (ask: Wire.ResetRequest) => post("/reset/request", ask),
  notices: () => get<Wire.NoticeInfo[]>("/me/notices"),
  noticesSeen: () => post("/me/notices/seen"),
  tokens: () => get<Wire.TokenInfo[]>("/me/tokens"),
  makeToken: (ask: Wire.TokenAsk) => post<Wire.TokenMade>("/me/tokens", ask),
  dropToken: (id: number) => drop(`/me/tokens/${id}`),

  board: (contest: string, game: string, query: { tier?: number | undefined; players?: number | undefined; page?: number | undefined; search?: string | undefined; final?: boolean | undefined }) =>
    get<Wire.Board>(`/boards/${part(contest)}/${part(game)}`, query),
  sideQuest: (contest: string, game: string) => get<Wire.SideQuestBoard>(`/boards/${part(contest)}/${part(game)}/side-quest`),

  matches: (query: { contest?: string | undefined; game?: string | undefined; tier?: number | undefined; bot?: number | undefined; filter?: string | undefined; before?: number | undefined; limit?: number | undefined } & MatchFilters) => get<Wire.MatchPage>("/matches", query),
  live: () => get<Wire.LiveMatch[]>("/matches/live"),
  match: (id: number) => get<Wire.MatchPageInfo>(`/matches/${id}`),
  recordAddress: (id: number) => address(`/matches/${id}/record`),
  pictureAddress: (id: number, turn: number, dark: boolean) => address(`/matches/${id}/picture.png`, { turn, ...(dark ? { dark } : {}) }),
  clipAddress: (id: number, from: number, to: number, dark: boolean) => address(`/matches/${id}/clip.gif`, { from, to, ...(dark ? { dark } : {}) }),

  submit: (submission: Wire.Submission) => post<Wire.VersionInfo>("/submissions", submission),
  version: (id: number) => get<Wire.VersionPage>(`/versions/${id}`),
  activate: (id: number) => post<unknown>(`/versions/${id}/activate`),
  testDraft: (ask: Wire.DraftTestAsk) => post<Wire.VersionInfo>("/tests", ask),
  test: (id: number) => post<unknown>(`/versions/${id}/test`),
  trial: (bot: number) => post<unknown>(`/bots/${bot}/trial`),
  bot: (id: number) => get<Wire.BotPage>(`/bots/${id}`),
  fight: (bot: number, round: number) => get<Wire.FightPage>(`/bots/${bot}/fights/${round}`),
  mapFeatures: (id: number) => get<Wire.MapFeature[]>(`/bots/${id}/maps`),
  against: (bot: number, other: number) => get<Wire.HeadToHead>(`/bots/${bot}/against/${other}`),
  search: (q: string) => get<Wire.SearchResults>("/search", { q }),
  myBots: () => get<Wire.BotCard[]>("/me/bots"),
  user: (name: string) => get<Wire.Profile>(`/users/${part(name)}`),

  analysis: (id: number) => post<Viewer.Analysis>(`/matches/${id}/analysis`),
  runOn: (id: number, trial: Viewer.Trial) => post<Viewer.Tried>(`/matches/${id}/run`, trial),
  continued: (id: number, wanted: Viewer.Continuation) => post<Viewer.Reply>(`/matches/${id}/continue`, wanted),

  humanGame: (ask: Wire.HumanGameAsk) => post<Viewer.Reply>("/human-games", ask),

  humanGameNow: (id: number) => get<Viewer.Reply>(`/human-games/${id}`),

  contests: () => get<Wire.Contest[]>("/contests"),
  contest: (key: string) => get<Wire.ContestPage>(`/contests/${part(key)}`),
  createTeam: (key: string, name: string) => post<Wire.OwnTeam>(`/contests/${part(key)}/teams`, { name }),
  joinTeam: (key: string, code: string) => post<Wire.OwnTeam>(`/contests/${part(key)}/teams/join`, { code }),
  leaveTeam: (key: string) => post<unknown>(`/contests/${part(key)}/teams/leave`),
  join: (key: string, ask: Wire.JoinAsk) => post<unknown>(`/contests/${part(key)}/join`, ask),
  exportAddress: (key: string, kind: "export.csv" | "export.json" | "export/records") => address(`/contests/${part(key)}/${kind}`),

  openapi: () => get<unknown>("/openapi.json"),

  overview: () => get<Wire.Overview>("/admin/overview"),
  users: (query: { page?: number | undefined; search?: string | undefined }) => get<Wire.UserPage>("/admin/users", query),
  changeUser: (id: number, ask: Wire.UserPatch) => patch<unknown>(`/admin/users/${id}`, ask),
  bulkUsers: (ask: Wire.BulkAsk) => post<Wire.BulkLine[]>("/admin/users/bulk", ask),
  resetUser: (id: number) => post<Wire.OneTimeLink>(`/admin/users/${id}/reset`),
  invite: (ask: Wire.InvitationAsk) => post<Wire.OneTimeLink>("/admin/invitations", ask),
  invitations: () => get<Wire.InvitationInfo[]>("/admin/invitations"),
  dropInvitation: (id: number) => drop(`/admin/invitations/${id}`),
  makeContest: (ask: Wire.ContestAsk) => post<unknown>("/admin/contests", ask),
  changeContest: (key: string, ask: Wire.ContestPatch) => patch<unknown>(`/admin/contests/${part(key)}`, ask),
  finishContest: (key: string) => post<unknown>(`/admin/contests/${part(key)}/finish`),
  pause: () => post("/admin/pause"),
  resume: () => post("/admin/resume"),
  addPicture: (base64: string) => post<Wire.PictureInfo>("/admin/pictures", { base64 }),
  announcements: () => get<Wire.AnnouncementInfo[]>("/admin/announcements"),
  announce: (ask: Wire.AnnouncementAsk) => post<unknown>("/admin/announcements", ask),
  dropAnnouncement: (id: number) => drop(`/admin/announcements/${id}`),
  recompute: (ask: Wire.RecomputeAsk) => post<Wire.Recompute>("/admin/recompute", ask),
  recomputing: () => get<Wire.Recompute>("/admin/recompute"),
  voids: () => get<Wire.VoidInfo[]>("/admin/voids"),
  requeue: (id: number) => post<unknown>(`/admin/matches/${id}/requeue`),
  workers: () => get<Wire.ClusterWorkers>("/admin/workers"),
  changeWorker: (name: string, ask: Wire.WorkerPatch) => patch<unknown>(`/admin/workers/${part(name)}`, ask),
  audit: (before?: number) => get<Wire.AuditLine[]>("/admin/audit", { before }),
};

const notAvailable = () => Promise.reject(new ApiError(0, "not_yours", "", ""));

/** Stored and running matches, as a source for the viewer. */
export const matches: Source = {
  replay: (id) => get<Viewer.Replay>(`/matches/${id}/replay`),
  delta: (id, from, attempt) => get<Viewer.ReplayDelta>(`/matches/${id}/delta`, { from, attempt }),
  answer: notAvailable,
  check: notAvailable,
  recordAddress: api.recordAddress,
  statement: () => Promise.resolve(""),
};

/** Games of a person against a boss, as a source for the viewer. */
export const humanGames = (contest: string, game: string, tier: number): Source => ({
  replay: (id) => get<Viewer.Replay>(`/human-games/${id}/replay`),
  delta: notAvailable,
  answer: (id, line) => post<Viewer.Reply>(`/human-games/${id}/answer`, line === null ? {} : { line }),
  check: (id, line) => post<Viewer.Fault[]>(`/human-games/${id}/check`, { line }),
  recordAddress: (id) => address(`/human-games/${id}/record`),
  statement: (_, lang) => api.statement(game, tier, lang, contest),
});

export const eventsAddress = (topics: string[]) => address("/events", { topics: topics.join(",") });

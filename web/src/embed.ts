// Messages to and from a page that embeds this one in a frame.
//
// Out: { agon: "ready", game, turns }, { agon: "turn", turn }.  In: { agon: "seek", turn }, { agon: "play" }, { agon: "pause" }.

import type { Playback } from "./playback.svelte";

export function listen(playback: Playback): () => void {
  const receive = (event: MessageEvent) => {
    // Any embedding page may send these messages: they only move the picture, and nothing secret is sent back.
    if (event.source !== window.parent) return;
    const message = event.data as { agon?: unknown; turn?: unknown } | null;
    if (message?.agon === "seek" && Number.isFinite(message.turn)) {
      playback.playing = false;
      playback.seek(Number(message.turn));
    }
    if (message?.agon === "play" && !playback.playing) playback.toggle();
    if (message?.agon === "pause") playback.playing = false;
  };
  window.addEventListener("message", receive);
  return () => window.removeEventListener("message", receive);
}

export function post(message: { agon: "ready"; game: string; turns: number } | { agon: "turn"; turn: number }): void {
  if (window.parent !== window) window.parent.postMessage(message, "*");
}

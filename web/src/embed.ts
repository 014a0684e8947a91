// Messages to and from a page that has this one in a frame.
//
// Out: { agon: "ready", game, turns }, { agon: "turn", turn }.  In: { agon: "seek", turn }, { agon: "play" }, { agon: "pause" }.

import type { Playback } from "./playback.svelte";

export function listen(playback: Playback): () => void {
  const hear = (event: MessageEvent) => {
    // Whoever has us in a frame may say these: they move the picture and tell nothing.
    if (event.source !== window.parent) return;
    const message = event.data as { agon?: unknown; turn?: unknown } | null;
    if (message?.agon === "seek" && Number.isFinite(message.turn)) {
      playback.playing = false;
      playback.seek(Number(message.turn));
    }
    if (message?.agon === "play" && !playback.playing) playback.toggle();
    if (message?.agon === "pause") playback.playing = false;
  };
  window.addEventListener("message", hear);
  return () => window.removeEventListener("message", hear);
}

export function tell(message: { agon: "ready"; game: string; turns: number } | { agon: "turn"; turn: number }): void {
  if (window.parent !== window) window.parent.postMessage(message, "*");
}

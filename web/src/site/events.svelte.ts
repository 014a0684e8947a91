// News of the server as it happens: one stream for the whole page, with the topics that somebody on it wants.

import { eventsAddress } from "./api";
import type { LiveEvent } from "./wire";

type Hear = (event: LiveEvent) => void;

const wanted = new Map<string, Set<Hear>>();
let stream: EventSource | undefined;
let streamed = "";
let wait: ReturnType<typeof setTimeout> | undefined;

function tune(): void {
  clearTimeout(wait);
  // Components come and go together: they are waited for.
  wait = setTimeout(() => {
    const topics = [...wanted.keys()].sort();
    const name = topics.join(",");
    if (name === streamed) return;
    streamed = name;
    stream?.close();
    stream = undefined;
    if (!topics.length) return;
    stream = new EventSource(eventsAddress(topics));
    const hear = (message: MessageEvent<string>) => {
      let event: LiveEvent;
      try {
        event = JSON.parse(message.data) as LiveEvent;
      } catch {
        return;
      }
      // What a page hears twice, it looks up twice: each listener once.
      for (const listener of new Set([...wanted.values()].flatMap((all) => [...all]))) listener(event);
    };
    stream.onmessage = hear;
    for (const kind of KINDS) stream.addEventListener(kind, hear as (event: Event) => void);
  }, 50);
}

const KINDS: LiveEvent["type"][] = ["match_started", "match_done", "board", "promotion", "version_built", "my_match", "notice", "missed"];

/** Hears of these topics until what is returned is called. */
export function hear(topics: string[], listener: Hear): () => void {
  for (const topic of topics) {
    const listeners = wanted.get(topic) ?? new Set();
    listeners.add(listener);
    wanted.set(topic, listeners);
  }
  tune();
  return () => {
    for (const topic of topics) {
      wanted.get(topic)?.delete(listener);
      if (!wanted.get(topic)?.size) wanted.delete(topic);
    }
    tune();
  };
}

// Events of the server: one stream for the whole page, with the topics that its components subscribe to.

import { eventsAddress } from "./api";
import type { LiveEvent } from "./wire";

type Hear = (event: LiveEvent) => void;

/** Milliseconds until a stream that the server closed is opened again. */
const AGAIN = 10_000;
const KINDS: LiveEvent["type"][] = ["match_started", "match_done", "board", "promotion", "version_built", "my_match", "notice", "contest", "missed"];

const wanted = new Map<string, Set<Hear>>();
let stream: EventSource | undefined;
let streamed = "";
let wait: ReturnType<typeof setTimeout> | undefined;

function tell(event: LiveEvent): void {
  // Each listener is called once per event.
  for (const listener of new Set([...wanted.values()].flatMap((all) => [...all]))) listener(event);
}

function open(topics: string[]): void {
  const made = new EventSource(eventsAddress(topics));
  stream = made;
  let before = false;
  made.onopen = () => {
    // Events between two connections were missed.
    if (before) tell({ type: "missed" });
    before = true;
  };
  made.onerror = () => {
    if (made.readyState !== EventSource.CLOSED || stream !== made) return;
    streamed = "";
    wait ??= setTimeout(tune, AGAIN);
  };
  for (const kind of KINDS) {
    made.addEventListener(kind, (message: MessageEvent<string>) => {
      try {
        tell(JSON.parse(message.data) as LiveEvent);
      } catch {
        // Not an event of this API.
      }
    });
  }
}

function tune(): void {
  wait = undefined;
  const topics = [...wanted.keys()].sort();
  const name = topics.join(",");
  if (name === streamed) return;
  streamed = name;
  stream?.close();
  stream = undefined;
  if (topics.length) open(topics);
}

/** Components subscribe and unsubscribe together: one short delay collects the changes. */
function soon(): void {
  clearTimeout(wait);
  wait = setTimeout(tune, 50);
}

/** Subscribes to topics; the returned function unsubscribes. */
export function hear(topics: string[], listener: Hear): () => void {
  for (const topic of topics) {
    const listeners = wanted.get(topic) ?? new Set();
    listeners.add(listener);
    wanted.set(topic, listeners);
  }
  soon();
  return () => {
    for (const topic of topics) {
      wanted.get(topic)?.delete(listener);
      if (!wanted.get(topic)?.size) wanted.delete(topic);
    }
    soon();
  };
}

import { expect, test } from "vitest";
import { actionOf } from "../../src/keys";
import { readAddress } from "../../src/options";
import { Playback } from "../../src/playback.svelte";
import { speak } from "../../src/words";

function at(last: number): Playback {
  const playback = new Playback();
  playback.last = last;
  return playback;
}

test("a step forward goes in motion, other steps jump", () => {
  const playback = at(30);
  playback.step(1);
  expect(playback.moving).toBe(true);
  playback.tick(0.1);
  expect([playback.index, playback.t < 1]).toEqual([1, true]);
  playback.tick(10);
  expect([playback.at, playback.moving]).toEqual([1, false]);
  playback.step(10);
  expect(playback.at).toBe(11);
  playback.step(-1);
  expect(playback.at).toBe(10);
  playback.step(-100);
  expect(playback.at).toBe(0);
});

test("steps that come faster than the motion all count", () => {
  const playback = at(30);
  playback.step(1);
  playback.step(1);
  playback.step(1);
  playback.tick(10);
  expect(playback.at).toBe(3);
});

test("play stops at the end and starts again from there", () => {
  const playback = at(3);
  playback.toggle();
  for (let i = 0; i < 20; i++) playback.tick(0.2);
  expect([playback.at, playback.playing]).toEqual([3, false]);
  playback.toggle();
  expect([playback.at, playback.playing]).toEqual([0, true]);
});

test("who follows a match stays with it", () => {
  const playback = at(0);
  playback.following = true;
  playback.extend(50);
  for (let i = 0; i < 60; i++) playback.tick(0.1);
  expect(playback.at).toBe(50);
  expect(playback.playing).toBe(true);
  playback.extend(51);
  playback.tick(5);
  expect(playback.at).toBe(51);
  playback.seek(20);
  expect(playback.following).toBe(false);
});

test("after a pause inside a turn, steps count from the turn that is shown", () => {
  for (const [by, reached] of [[1, 6], [-1, 4], [10, 15]] as const) {
    const playback = at(30);
    playback.seek(4);
    playback.toggle();
    playback.tick(0.1);
    playback.toggle();
    expect([playback.index, playback.t < 1]).toEqual([5, true]);
    playback.step(by);
    if (playback.moving) playback.tick(10);
    expect(playback.at).toBe(reached);
  }
});

test("speed has bounds", () => {
  const playback = at(3);
  for (let i = 0; i < 20; i++) playback.faster(1);
  expect(playback.speed).toBe(16);
  for (let i = 0; i < 20; i++) playback.faster(-1);
  expect(playback.speed).toBe(0.25);
});

test("the address is read, whatever it says", () => {
  const address = readAddress("?turn=12&autoplay=1&speed=2.5&lang=fr&options=possible:off,eyes:1,x");
  expect(address).toMatchObject({ turn: 12, autoplay: true, speed: 2.5, lang: "fr", options: { possible: "off", eyes: "1" } });
  expect(readAddress("?play")).toMatchObject({ autoplay: true, play: undefined });
  expect(readAddress("?play=hypersonic")).toMatchObject({ autoplay: false, play: "hypersonic" });
  expect(readAddress("?turn=&speed=fast&autoplay=0")).toMatchObject({ turn: undefined, speed: undefined, autoplay: false, options: {} });
});

test("keys", () => {
  const key = (key: string, more: object = {}) => actionOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more } as KeyboardEvent);
  expect(key(" ")).toBe("toggle");
  expect(key("ArrowRight", { shiftKey: true })).toBe("nextTen");
  expect(key("?", { shiftKey: true })).toBe("help");
  expect(key("+", { shiftKey: true })).toBe("faster");
  expect(key("ArrowRight", { ctrlKey: true })).toBeUndefined();
});

test("words take values as text", () => {
  expect(speak("en")("turnOf", { turn: 3, last: "<b>" })).toBe("Turn 3 of <b>");
  expect(speak("fr")("turnOf", { turn: 3, last: 9 })).toBe("Tour 3 sur 9");
});

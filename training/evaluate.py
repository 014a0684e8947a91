"""Evaluates a bot against another one by matches at the official limits, with a sequential test.

    python evaluate.py ocean-of-code @champion "old/agon bot ocean-of-code champion" --out runs/likelihood --minutes 30

`agon duel` plays the matches and decides: it stops when it is sound to say that the first bot is better than --elo0, or that it is not
better by --elo1 (normalised Elo). This script prints how far it is, stops it after --minutes, and adds a line with the score, its
interval, the verdict and the command to `evaluations.jsonl` in the folder of the run. The same command goes on with a test that is not decided.

The exit code is 0 if the first bot is better, 1 if it is not, if a bot failed or if it is not decided yet, and 2 for a wrong call.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

VERDICTS = {"accept_h1": "better", "accept_h0": "not better", "continue": "not decided"}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("first", help="the bot the question is about: @NAME, a file or a command")
    parser.add_argument("second", help="the bot it is compared with")
    parser.add_argument("--out", type=Path, required=True, help="folder of the training run")
    parser.add_argument("--minutes", type=float, default=30, help="stop after this time, decided or not")
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, default=20.0)
    parser.add_argument("--games", type=int, help="games at the most (default: that of agon duel)")
    parser.add_argument("--edition", help="the edition of the rules")
    parser.add_argument("--players", type=int, help="the number of players")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first map")
    parser.add_argument("--jobs", type=int, help="matches at once")
    parser.add_argument("--every", type=float, default=30, help="seconds between two lines of progress")
    parser.add_argument("--agon", default="agon", help="the agon command")
    return parser.parse_args()


def piece(command: list[str], seconds: float) -> dict[str, object]:
    """Plays for some seconds: what agon says then. It keeps every finished match in the run file."""
    try:
        agon = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        fail(f"{command[0]}: {error.strerror}")
    try:
        said, errors = agon.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        agon.send_signal(signal.SIGINT)
        said, errors = agon.communicate()
    if not said.strip():
        fail(errors.strip() or f"{command[0]} ended with {agon.returncode} and said nothing")
    found = json.loads(said)
    found["warnings"] = [line for line in errors.splitlines() if "too busy" in line]
    return found


def fail(reason: str) -> None:
    print(reason, file=sys.stderr)
    sys.exit(2)


def summary(report: dict[str, object]) -> dict[str, object]:
    """Score, interval and verdict of a report. The interval is that of the Elo, which counts seeds, as a share of points."""
    share = {name: round(1 / (1 + 10 ** (-value / 400)), 4) for name, value in report["elo"].items()}
    return {
        "games": report["games"],
        "score": round(report["points"] / report["games"], 4),
        "interval": [share["low"], share["high"]],
        "llr": round(report["sprt"]["llr"], 3),
        "verdict": VERDICTS.get(report["sprt"]["decision"], report["sprt"]["decision"]),
    }


def main() -> None:
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    words = ["duel", args.game, "--bot", args.first, "--bot", args.second, "--sprt", f"{args.elo0:g}", f"{args.elo1:g}", "--seed", str(args.seed)]
    for option, value in (("--games", args.games), ("--edition", args.edition), ("--players", args.players)):
        words += [option, str(value)] if value is not None else []
    # The same question has the same run file, so that it can be continued.
    run = args.out / f"evaluation-{hashlib.sha256(json.dumps(words).encode()).hexdigest()[:8]}.run"
    more = ["--strict", "--json", *(["--jobs", str(args.jobs)] if args.jobs else [])]
    began = time.monotonic()
    found: dict[str, object] = {}
    while not found or not found["complete"]:
        left = 60 * args.minutes - (time.monotonic() - began)
        if found and left <= 0:
            break
        command = [args.agon, "resume", str(run)] if run.exists() else [args.agon, *words, "--run", str(run)]
        found = piece([*command, *more], max(1.0, min(args.every, left)))
        if found["report"]["games"]:
            print(json.dumps(summary(found["report"])), flush=True)
    if not found["report"]["games"]:
        fail(f"no seed was finished within {args.minutes:g} minutes; the same command goes on")
    result = summary(found["report"])
    line = {
        "kind": "evaluation", "game": args.game, "first": args.first, "second": args.second, **result, "void": found["void"],
        "failures": len(found["failures"]), "disturbed": found["disturbed"], "minutes": round((time.monotonic() - began) / 60, 2),
        "command": shlex.join(["agon", *words, "--strict"]), "run": run.name,
    }  # fmt: skip
    with (args.out / "evaluations.jsonl").open("a") as log:
        print(json.dumps(line), file=log)
    for warning in found["warnings"]:
        print(warning, file=sys.stderr)
    for failure in found["failures"][:3]:
        print(f"{failure['bot']}: {failure['detail']}; {failure['replay']}", file=sys.stderr)
    low, high = result["interval"]
    print(f"{result['verdict']}: {result['score']:.1%} ({low:.1%} to {high:.1%}) of {result['games']} games; {args.out / 'evaluations.jsonl'}")
    sys.exit(0 if result["verdict"] == "better" and not found["failures"] else 1)


if __name__ == "__main__":
    main()

// agon-hostile
// game: ocean-of-code
// verdict: flood
// level: any
// about: hands output over without ever letting it be written
"use strict";

require("readline").createInterface({ input: process.stdin }).once("line", () => {
    for (;;) process.stdout.write("x".repeat(65536));
});

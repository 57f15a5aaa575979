// RFC 8785 takes its number form from ECMAScript, so Node is the reference: millions of doubles
// and literals of all magnitudes, the same on every run, through `number-format` and through
// JSON.stringify. Run by ctest, which sets STELE_BIN_DIR.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const program = join(process.env.STELE_BIN_DIR ?? "build/dev/bin", "number-format");
const chunk = 250_000;

// splitmix32: small, fast, good enough to visit every exponent.
let state = 20240701;
function random32() {
  state = (state + 0x9e3779b9) | 0;
  let z = state ^ (state >>> 16);
  z = Math.imul(z, 0x21f0aaad);
  z ^= z >>> 15;
  z = Math.imul(z, 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
}
const below = (n) => Math.floor((random32() / 2 ** 32) * n);

function format(mode, input) {
  const run = spawnSync(program, [mode], { input, maxBuffer: 2 ** 30 });
  if (run.error || run.status !== 0) {
    console.error(`${program} ${mode}: ${run.error ?? run.stderr}`);
    process.exit(1);
  }
  return run.stdout.toString("latin1").split("\n").slice(0, -1);
}

function compare(what, inputs, expected, actual) {
  if (actual.length !== expected.length) {
    console.error(`${what}: ${expected.length} lines expected, ${actual.length} written`);
    process.exit(1);
  }
  for (let i = 0; i < expected.length; ++i) {
    if (actual[i] === expected[i]) continue;
    console.error(`${what} ${inputs[i]}: Node writes ${expected[i]}, we write ${actual[i]}`);
    process.exit(1);
  }
}

// Any bits but those of infinities and NaN.
function randomBits(numbers, words) {
  for (let i = 0; i < numbers.length; ++i) {
    do {
      words[2 * i] = random32();
      words[2 * i + 1] = random32();
    } while (!Number.isFinite(numbers[i]));
  }
}

// Few digits times a power of ten, and the doubles beside them: where shortest forms are decided.
function randomDecimals(numbers, words) {
  for (let i = 0; i < numbers.length; ++i) {
    const digits = below(10 ** (1 + below(9))) * (below(2) ? 1 : -1);
    numbers[i] = Number(`${digits}e${below(617) - 324}`);
    if (below(3) === 0 && words[2 * i] !== 0) words[2 * i] += below(2) ? 1 : -1;
    if (!Number.isFinite(numbers[i])) numbers[i] = digits;
  }
}

// Integers around the powers of two, up to beyond 2^53.
function randomIntegers(numbers) {
  for (let i = 0; i < numbers.length; ++i) {
    numbers[i] = (2 ** below(75) + below(5) - 2) * (below(2) ? 1 : -1);
  }
}

function checkDoubles(name, fill, count) {
  for (let done = 0; done < count; done += chunk) {
    const numbers = new Float64Array(chunk);
    fill(numbers, new Uint32Array(numbers.buffer));
    const expected = JSON.stringify(Array.from(numbers)).slice(1, -1).split(",");
    compare(name, numbers, expected, format("doubles", new Uint8Array(numbers.buffer)));
  }
  console.log(`${count} ${name} agree`);
}

function randomLiteral() {
  let digits = "";
  for (let n = 1 + below(30); n > 0; --n) digits += String(below(10));
  const whole = digits.slice(0, below(digits.length)).replace(/^0+/, "") || "0";
  return `${below(2) ? "-" : ""}${whole}.${digits}e${below(680) - 350}`;
}

// What the format asks: rounding as everywhere, but no overflow and no loss to zero.
function expectedOfLiteral(literal) {
  const number = Number(literal);
  const lost = number === 0 && /[1-9]/.test(literal.split("e")[0]);
  return lost || !Number.isFinite(number) ? "refused" : JSON.stringify(number);
}

function checkLiterals(count) {
  for (let done = 0; done < count; done += chunk) {
    const literals = Array.from({ length: chunk }, randomLiteral);
    const written = format("literals", literals.join("\n") + "\n");
    compare("literal", literals, literals.map(expectedOfLiteral), written);
  }
  console.log(`${count} literals agree`);
}

checkDoubles("doubles of random bits", randomBits, 3_500_000);
checkDoubles("doubles near short decimals", randomDecimals, 1_500_000);
checkDoubles("integers", randomIntegers, 250_000);
checkLiterals(1_000_000);

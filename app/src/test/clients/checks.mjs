/** What the scripts for masto.js and megalodon share: each failing check is printed with its call and answer. */

const PATIENCE = 15_000; // ms, for what reaches others through the queue
let checks = 0;
let failed = 0;

function report(call, answer) {
  failed++;
  console.log(`FAILED  ${call}\n  answer: ${answer instanceof Error ? answer : JSON.stringify(answer)?.slice(0, 2000)}`);
}

/** The call answers, and what it answers is right; the answer, undefined when there was none. */
export async function check(call, ask, holds = () => true) {
  checks++;
  let answer;
  try {
    answer = await ask();
    if (!holds(answer)) {
      report(call, answer);
    }
  } catch (cause) {
    report(call, cause);
  }
  return answer;
}

/** check, after some time. */
export async function soon(call, ask, holds) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    try {
      if (holds(await ask())) {
        break;
      }
    } catch {
      // Asked again.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return check(call, ask, holds);
}

/** The call fails with an error for which this holds. */
export async function refused(call, ask, holds) {
  checks++;
  try {
    report(call, await ask());
  } catch (cause) {
    if (!holds(cause)) {
      report(call, cause);
    }
  }
}

/** Runs the script and ends the process; what a failed check should have given may be missing further on. */
export async function run(script) {
  try {
    await script();
  } catch (cause) {
    checks++;
    report("the rest of the script", cause);
  }
  console.log(`${checks} checks, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

export const ids = (things) => things.map((thing) => thing.id);

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

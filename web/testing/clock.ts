// Component tests begin at the time that `vitest.config.ts` sets, so that they do not depend on the day on which
// they run.
const realNow = Date.now;
const offset = Date.parse(import.meta.env.TEST_TIME) - realNow();
if (Number.isNaN(offset)) throw new Error(`TEST_TIME is no time: ${import.meta.env.TEST_TIME}`);

const now = (): number => realNow() + offset;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [now()], newTarget),
  apply: (target) => new target(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});

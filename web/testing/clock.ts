// Component tests begin at the time that `vitest.config.ts` sets, so that they do not depend on the day on which
// they run.
const RealDate = Date;
const offset = RealDate.parse(import.meta.env.TEST_TIME) - RealDate.now();

class ShiftedDate extends RealDate {
  static override now(): number {
    return RealDate.now() + offset;
  }

  constructor(...values: ConstructorParameters<typeof Date> | []) {
    if (values.length === 0) super(ShiftedDate.now());
    else super(...values);
  }
}
globalThis.Date = ShiftedDate as DateConstructor;

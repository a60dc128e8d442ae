import { calls } from './calls.ts';
import { consoleCalls } from './console-calls.ts';

/** Every call of the API, for documentation and tests. */
export const allCalls = { ...calls, ...consoleCalls };

import { lowerPasswordCost } from '#server/platform/passwords.ts';

// Tests of accounts/timing.test.ts check the real cost, in a process without this file.
lowerPasswordCost();

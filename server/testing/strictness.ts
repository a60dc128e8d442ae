import { afterAll, afterEach } from 'vitest';

// This file also runs in the browser, for component tests, so it imports no Node modules.

/** Calls of `console.error`, which fail the running test; a test that expects one mocks the function. */
const unexpectedErrors: string[] = [];
const printError = console.error;
console.error = (...values: unknown[]) => {
  unexpectedErrors.push(values.map(String).join(' '));
  printError(...values);
};

function failOnUnexpectedErrors(): void {
  if (unexpectedErrors.length > 0)
    throw new Error(`console.error was called:\n${unexpectedErrors.splice(0).join('\n')}`);
}

afterEach(failOnUnexpectedErrors);
afterAll(failOnUnexpectedErrors);

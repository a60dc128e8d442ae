import { afterAll, afterEach } from 'vitest';

// This file must not import Node modules, because component tests also run it in the browser.

/**
 * Messages passed to `console.error`, any of which makes the running test fail. A test that expects
 * such a call mocks `console.error`.
 */
const unexpectedErrors: string[] = [];
const originalConsoleError = console.error;
console.error = (...values: unknown[]) => {
  unexpectedErrors.push(values.map(String).join(' '));
  originalConsoleError(...values);
};

function failOnUnexpectedErrors(): void {
  if (unexpectedErrors.length > 0)
    throw new Error(`console.error was called: ${unexpectedErrors.splice(0).join('\n')}`);
}

afterEach(failOnUnexpectedErrors);
afterAll(failOnUnexpectedErrors);

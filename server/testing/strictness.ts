import { afterAll, afterEach } from 'vitest';

// Also runs in the browser, for the tests of components.

/** An unexpected `console.error` fails the running test; a test that expects one replaces the function. */
const messages: string[] = [];
const print = console.error;
console.error = (...values: unknown[]) => {
  messages.push(values.map(String).join(' '));
  print(...values);
};

function failOnMessages(): void {
  if (messages.length > 0) throw new Error(`console.error was called:\n${messages.splice(0).join('\n')}`);
}

afterEach(failOnMessages);
afterAll(failOnMessages);

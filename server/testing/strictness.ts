import { format } from 'node:util';
import { afterAll, afterEach } from 'vitest';

/** Whatever reaches `console.error` unexpected fails the test it happened in; a test that expects it replaces it. */
const complaints: string[] = [];
const print = console.error;
console.error = (...values: unknown[]) => {
  complaints.push(format(...values));
  print(...values);
};

function refuseComplaints(): void {
  if (complaints.length > 0) throw new Error(`console.error was called:\n${complaints.splice(0).join('\n')}`);
}

afterEach(refuseComplaints);
afterAll(refuseComplaints);

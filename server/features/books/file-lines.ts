import { isUtf8 } from 'node:buffer';

/** A line of a file. `end` is the position of the byte that follows it; `text` is undefined when it cannot be read. */
export interface FileLine {
  text: string | undefined;
  end: number;
  /** Why the line cannot be read. */
  reason?: 'too long' | 'not UTF-8';
}

/** The longest line in bytes; the longest of Open Library has a tenth of this. */
const maxLineBytes = 4 * 1024 * 1024;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const readLine = (bytes: Buffer, end: number): FileLine => {
  if (!isUtf8(bytes)) return { text: undefined, end, reason: 'not UTF-8' };
  const length = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
  return { text: bytes.toString('utf8', 0, length), end };
};

/**
 * Splits chunks into lines. `position` is the position of the first byte. Lines that are too long are skipped without being
 * kept in memory.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  position: number,
): AsyncGenerator<FileLine[]> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let offset = position;
  const endLine = (last: Buffer, end: number): FileLine => {
    const line: FileLine =
      restBytes + last.length > maxLineBytes
        ? { text: undefined, end, reason: 'too long' }
        : readLine(rest.length === 0 ? last : Buffer.concat([...rest, last]), end);
    rest = [];
    restBytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    const lines: FileLine[] = [];
    let start = 0;
    for (let found = chunk.indexOf(lineFeed); found >= 0; found = chunk.indexOf(lineFeed, start)) {
      lines.push(endLine(chunk.subarray(start, found), offset + found + 1));
      start = found + 1;
    }
    const remaining = chunk.subarray(start);
    restBytes += remaining.length;
    if (restBytes > maxLineBytes) rest = [];
    else if (remaining.length > 0) rest.push(remaining);
    offset += chunk.length;
    yield lines;
  }
  if (restBytes > 0) yield [endLine(Buffer.alloc(0), offset)];
}

import { finished, type Readable, type Writable } from 'node:stream';
import type { Submittable } from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Session } from './database.ts';
import type { Fragment } from './sql-fragments.ts';

const start = <Stream extends Submittable & (Readable | Writable)>(
  { client }: Session,
  stream: Stream,
): Stream => {
  // Other statements must wait for the end of a COPY, so the driver refuses it on a connection that pipelines.
  const connection: { pipeline: boolean } = client;
  connection.pipeline = false;
  finished(stream, () => {
    connection.pipeline = true;
  });
  return client.query(stream);
};

/** Returns a stream of the rows that `COPY … TO STDOUT` sends, in the text format of PostgreSQL. */
export const openCopyReader = (session: Session, statement: Fragment): Readable =>
  start(session, to(statement.text));

/** Returns a stream that writes rows for `COPY … FROM STDIN`. It finishes when PostgreSQL has stored them. */
export const openCopyWriter = (session: Session, statement: Fragment): Writable =>
  start(session, from(statement.text));

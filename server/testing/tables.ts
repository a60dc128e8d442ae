/**
 * The tables with the jobs (jobs.ts) and emails (app.ts) of a test, which belong to its transactions. The template of
 * the test databases contains them.
 */
export const testTables = `
  create schema if not exists testing;
  create table if not exists testing.job (
    id bigint generated always as identity primary key,
    queue text not null,
    payload jsonb not null,
    retries int not null,
    due_at timestamptz not null
  );
  create table if not exists testing.mail (
    id bigint generated always as identity primary key,
    content jsonb not null
  )`;

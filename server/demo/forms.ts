import { randomUUID } from 'node:crypto';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import type { DemoForm } from './data.ts';
import { subtractDays } from './demo-times.ts';
import { deriveDemoId } from './ids.ts';
import { getPersonByName, type SeededPerson } from './plan-listings.ts';

const deriveFormId = (kind: string, email: string): string => deriveDemoId(`${kind} ${email}`);

/**
 * Stores a contact form or other public form that a demo person sent and, if there is one, the answer to it.
 */
export const insertDemoForm = async (
  sql: Queryable,
  { kind, daysAgo, sender, content, answer }: DemoForm,
  { people, start }: { people: ReadonlyMap<string, SeededPerson>; start: Date },
): Promise<void> => {
  const id = deriveFormId(kind, content.email);
  const userId = sender === undefined ? null : getPersonByName(people, sender).id;
  const author = answer && getPersonByName(people, answer.by);
  const answeredAt = answer ? subtractDays(start, daysAgo - answer.hoursLater / 24) : null;
  await sql`
    INSERT INTO private.forms (id, kind, user_id, email, content, created_at, done_at, done_by)
    VALUES (${id}, ${kind}, ${userId}, ${content.email}, ${json(content)},
      ${subtractDays(start, daysAgo)}, ${answeredAt}, ${author?.email ?? null})`;
  if (answer && author)
    await sql`
      INSERT INTO private.form_answers (id, form_id, author_id, answer_text, created_at)
      VALUES (${randomUUID()}, ${id}, ${author.id}, ${answer.text}, ${answeredAt})`;
};

/** Deletes the public forms that the demo campus contains, whatever QUAD_CAMPUS_DOMAIN they were created for. */
export const deleteDemoForms = async (sql: Queryable): Promise<void> => {
  const rows = await sql<{ id: string; kind: string; email: string }[]>`
    SELECT id, kind, email FROM private.forms WHERE email LIKE 'demo.%'`;
  const ids = rows.filter(({ id, kind, email }) => id === deriveFormId(kind, email)).map(({ id }) => id);
  await sql`DELETE FROM private.forms WHERE id = ANY (${ids})`;
};

import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copiedEntries = ['contract', 'package.json', 'server'];
const linkedEntries = ['build', 'demo', 'node_modules', 'web'];

/**
 * Migrations of an imaginary next version. They change the busiest tables, in ways that
 * docs/migrations.md allows.
 */
export const nextVersionMigrations = {
  '9001_finishes.sql': `
    ALTER TABLE listings ADD COLUMN finish text;
    ALTER TABLE listings ADD CONSTRAINT listings_finish CHECK (length(finish) < 20) NOT VALID;`,
  '9002_valid_finishes.sql': 'ALTER TABLE listings VALIDATE CONSTRAINT listings_finish;',
  '9003_editing.sql': 'ALTER TABLE messages ADD COLUMN edited_at timestamptz;',
  '9004_muting.sql': 'ALTER TABLE conversations ADD COLUMN muted boolean NOT NULL DEFAULT false;',
  '9005_authors.sql': 'CREATE INDEX messages_by_author_and_time ON messages (sender_id, created_at);',
};

/** Adds the migrations of the next version to a folder of migrations. */
export const addNextVersionMigrations = (folder: string): void => {
  for (const [name, text] of Object.entries(nextVersionMigrations)) writeFileSync(join(folder, name), text);
};

/**
 * Creates a next version of Quad in `folder`: the code of this checkout with additional migrations. Files
 * that are the same in both versions are links to this checkout.
 */
export const createNextVersion = (folder: string): void => {
  mkdirSync(folder);
  for (const name of copiedEntries) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of linkedEntries) symlinkSync(join(root, name), join(folder, name));
  addNextVersionMigrations(join(folder, 'server', 'migrations'));
};

import type { Queryable } from '#server/platform/postgres/database.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export type SignOnFlow = Pick<
  Tables['sign_on_flows'],
  'browser_hash' | 'code_challenge' | 'redirect_to' | 'session_id' | 'identity'
>;
export type SignOnStage = Tables['sign_on_flows']['stage'];

/** Returns false when there is a flow with this token already. */
export const insertFlow = async (
  sql: Queryable,
  tokenHash: Buffer,
  stage: SignOnStage,
  flow: Partial<SignOnFlow>,
  expiresAt: Date,
): Promise<boolean> => {
  const { count } = await sql`
    INSERT INTO private.sign_on_flows
      (token_hash, stage, browser_hash, code_challenge, redirect_to, session_id, identity, expires_at)
    VALUES (${tokenHash}, ${stage}, ${flow.browser_hash ?? null}, ${flow.code_challenge ?? null},
      ${flow.redirect_to ?? null}, ${flow.session_id ?? null},
      ${flow.identity === undefined || flow.identity === null ? null : json(flow.identity)}, ${expiresAt})
    ON CONFLICT (token_hash) DO NOTHING`;
  return count > 0;
};

export interface FlowToken {
  tokenHash: Buffer;
  stage: SignOnStage;
  now: Date;
}

/** Ends a step: deletes its row, so that exactly one of several concurrent callers gets the flow. */
export const takeFlow = async (
  sql: Queryable,
  { tokenHash, stage, now }: FlowToken,
): Promise<SignOnFlow | undefined> => {
  const [flow] = await sql<(SignOnFlow & { expires_at: Date })[]>`
    DELETE FROM private.sign_on_flows WHERE token_hash = ${tokenHash} AND stage = ${stage}
    RETURNING browser_hash, code_challenge, redirect_to, session_id, identity, expires_at`;
  return flow && flow.expires_at > now ? flow : undefined;
};

export const findFlow = async (
  sql: Queryable,
  { tokenHash, stage, now }: FlowToken,
): Promise<SignOnFlow | undefined> => {
  const [flow] = await sql<SignOnFlow[]>`
    SELECT browser_hash, code_challenge, redirect_to, session_id, identity FROM private.sign_on_flows
    WHERE token_hash = ${tokenHash} AND stage = ${stage} AND expires_at > ${now}`;
  return flow;
};

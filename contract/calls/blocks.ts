import { z } from 'zod';
import { successResponseSchema } from '../accounts.ts';
import { blockedPeoplePageSchema, blockedPeopleQuerySchema, blockedUserIdsSchema } from '../blocks.ts';
import { idSchema } from '../text.ts';
import { declareCall } from './declare-call.ts';

const userIdParamsSchema = z.object({ user_id: idSchema });

/** Calls that block and unblock people, and that list blocked people. */
export const blockCalls = {
  listBlocks: declareCall({
    method: 'GET',
    path: '/rest/v1/me/blocks',
    summary: 'The people whom the caller blocked, the latest first, fifty at a time.',
    access: 'user',
    query: blockedPeopleQuerySchema,
    output: blockedPeoplePageSchema,
    errors: [],
  }),
  listBlockedIds: declareCall({
    method: 'GET',
    path: '/rest/v1/me/blocks/ids',
    summary: 'The ids of all people whom the caller blocked, the latest first.',
    access: 'user',
    output: blockedUserIdsSchema,
    errors: [],
  }),
  blockPerson: declareCall({
    method: 'PUT',
    path: '/rest/v1/me/blocks/{user_id}',
    summary:
      'Blocks a person: neither can contact the other, and their offers and holds end; nothing changes when they are blocked already.',
    access: 'user',
    params: userIdParamsSchema,
    output: successResponseSchema,
    notFound: 'user_not_found',
    errors: ['own_account', 'blocks_full'],
    limit: 'write',
  }),
  unblockPerson: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/blocks/{user_id}',
    summary: 'Unblocks a person; nothing changes when they are not blocked.',
    access: 'user',
    params: userIdParamsSchema,
    output: successResponseSchema,
    notFound: 'user_not_found',
    errors: [],
    limit: 'write',
  }),
} as const;

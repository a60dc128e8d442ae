import { type Quad, startQuad } from './quad.ts';
import { logIn } from './sign-in.ts';

/** A server with the demo campus, the session of its first account, and a listing with others like it. */
export const startDemo = async (): Promise<{ quad: Quad; session: string; slug: string }> => {
  const quad = await startQuad({ DEMO: 'on' });
  const session = await logIn(quad);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?category=furniture`)).json();
  return { quad, session, slug: items[0].slug };
};

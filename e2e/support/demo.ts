import { copyPreparedData } from './prepared-data.ts';
import { prepareDataFolder, type QuadServer, startQuad } from './quad-server.ts';
import { logInToDemo } from './sign-in.ts';

/**
 * Starts a server with the demo campus on a copy of a prepared data folder. The folder is prepared
 * only once per test run, because processing the demo photos takes many seconds.
 */
export const startDemoServer = async (
  environment: Record<string, string> = { DEMO: 'on' },
): Promise<QuadServer> =>
  startQuad(
    environment,
    await copyPreparedData('demo', (folder) => prepareDataFolder({ DEMO: 'on' }, folder)),
  );

/** Starts a demo server; returns it with a session of the first demo account and the slug of a furniture listing. */
export const startDemoWithSession = async (): Promise<{
  quad: QuadServer;
  session: string;
  slug: string;
  /** User id of the seller of the furniture listing. */
  seller: string;
}> => {
  const quad = await startDemoServer();
  const session = await logInToDemo(quad);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?category=furniture`)).json();
  return { quad, session, slug: items[0].slug, seller: items[0].user_id };
};

import { expect, test, vi } from 'vitest';
import { createOutdatedPageReports } from './outdated-pages.ts';

type Reports = ReturnType<typeof createOutdatedPageReports>;

const startReports = () => {
  const postMessage = vi.fn();
  const clients = { get: async () => ({ postMessage }) } as unknown as Clients;
  return { ...createOutdatedPageReports({ clients }), postMessage };
};

const respond = async ({ plugin }: Reports, path: string, event: object, source: 'cache' | 'network') => {
  const response = new Response();
  const request = new Request(`https://quad.example${path}`);
  const parameters = { event, request, response, cachedResponse: response } as never;
  if (source === 'cache') await plugin.cachedResponseWillBeUsed?.(parameters);
  await plugin.handlerDidRespond?.(parameters);
};

test('tells a page that its data came from the cache, until the network responds again', async () => {
  const reports = startReports();
  const event = { clientId: 'tab', resultingClientId: '' };
  await respond(reports, '/search.data?q=desk', event, 'network');
  expect(reports.postMessage).toHaveBeenLastCalledWith({ outdated: null });
  await respond(reports, '/search.data?q=desk&_routes=routes%2Fsearch', event, 'cache');
  expect(reports.postMessage).toHaveBeenLastCalledWith({ outdated: 'https://quad.example/search?q=desk' });
  await respond(reports, '/search.data?q=desk', event, 'network');
  expect(reports.postMessage).toHaveBeenLastCalledWith({ outdated: null });
});

test('tells a page on request that its document came from the cache', async () => {
  const reports = startReports();
  await respond(reports, '/browse', { clientId: 'earlier', resultingClientId: 'tab' }, 'cache');
  expect(reports.postMessage).not.toHaveBeenCalled();
  await reports.report('tab');
  expect(reports.postMessage).toHaveBeenLastCalledWith({ outdated: 'https://quad.example/browse' });
  await reports.report('other');
  expect(reports.postMessage).toHaveBeenLastCalledWith({ outdated: null });
});

test('tells an outdated page that it is up to date again, even after a restart of the worker', async () => {
  const event = { clientId: 'tab', resultingClientId: '' };
  await respond(startReports(), '/search.data?q=desk', event, 'cache');
  const restarted = startReports();
  await respond(restarted, '/search.data?q=desk', event, 'network');
  expect(restarted.postMessage).toHaveBeenLastCalledWith({ outdated: null });
});

import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob } from '#server/platform/jobs.ts';
import { computeSalePrices, findSalePrices } from './sale-prices.ts';

/** Registers the call for what similar things sold for, and the job that computes it. */
export const salePricesPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(declareScheduledJob('compute-sale-prices', '53 10 * * *', () => computeSalePrices(app)));
  serveCall(server, app, calls.findSalePrices, ({ query }) => findSalePrices(app, query));
};

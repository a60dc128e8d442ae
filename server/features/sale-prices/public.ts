export { computeSalePrices } from './sale-prices.ts';

/**
 * About how many units of a currency are worth a dollar, as a round number. Price bands, the highest price and rounded
 * offers follow it. Currencies that are not listed count like the dollar.
 */
const priceScales: Record<string, number> = {
  ...{ AED: 5, ARS: 1000, BDT: 100, BHD: 0.5, CLP: 1000, CNY: 10, COP: 5000, CRC: 500, CZK: 20, DKK: 10 },
  ...{ EGP: 50, HKD: 10, HUF: 500, IDR: 10_000, ILS: 5, INR: 100, ISK: 100, JOD: 0.5, JPY: 100, KES: 100 },
  ...{ KRW: 1000, KWD: 0.5, LKR: 500, MXN: 20, MYR: 5, NGN: 1000, NOK: 10, NPR: 100, OMR: 0.5, PEN: 5 },
  ...{ PHP: 50, PKR: 500, PLN: 5, PYG: 5000, QAR: 5, RON: 5, SAR: 5, SEK: 10, THB: 50, TND: 5, TRY: 50 },
  ...{ TWD: 50, TZS: 5000, UAH: 50, UGX: 5000, UYU: 50, VND: 20_000, XAF: 500, XOF: 500, ZAR: 20 },
};

export const getPriceScale = (currency: string): number => priceScales[currency] ?? 1;

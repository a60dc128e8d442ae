const wholeDollarFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const dollarsAndCentsFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Formats a price in dollars with two decimals, as the page of a listing shows it, as in '$110.00' or 'Free' (specification §9). */
export const formatExactPrice = (price: number): string =>
  price === 0 ? 'Free' : dollarsAndCentsFormat.format(price);

/** Formats a price in dollars for people, as in '$110', '$17.50', '$1,200' or 'Free'. */
export const formatPrice = (price: number): string => {
  if (price === 0) return 'Free';
  return (Number.isInteger(price) ? wholeDollarFormat : dollarsAndCentsFormat).format(price);
};

/** Returns whether a page with lists shows what people look for. */
export const isWantedTab = (params: URLSearchParams): boolean => params.get('tab') === 'wanted';

/**
 * Type declarations of the part of the package `autocannon` that the benchmarks use. The package
 * itself contains no type declarations.
 */
declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    /** Duration of the load in seconds. */
    duration: number;
    headers?: Record<string, string>;
    requests?: {
      method?: 'POST';
      headers?: Record<string, string>;
      setupRequest: (request: object) => object;
    }[];
  }
  interface Result {
    requests: { total: number; average: number };
    latency: { p50: number; p99: number };
    non2xx: number;
    errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}

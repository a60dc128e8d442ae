/** What a span describes, with the names of OpenTelemetry's semantic conventions. */
export interface SpanDescription {
  name: string;
  kind: 'server' | 'client' | 'consumer';
  attributes: Record<string, string | number>;
  /** The span that caused this one in another process, as a `traceparent` (W3C Trace Context). */
  parent?: string | undefined;
}

/** An operation that is recorded. */
export interface Span {
  readonly traceId: string;
  /** Runs a function, and everything it starts, within this span. */
  run<Result>(work: () => Result): Result;
  rename(name: string, attributes: SpanDescription['attributes']): void;
  /** Marks the operation as failed. Only the type of the error is recorded, because messages contain personal data. */
  fail(errorType: string): void;
  end(): void;
}

/** The span within which the code runs. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  traceparent: string;
}

/** Records spans and sends them to a collector. */
export interface Tracer {
  startSpan(description: SpanDescription): Span;
  findContext(): TraceContext | undefined;
  /** Sends what was recorded. */
  stop(): Promise<void>;
}

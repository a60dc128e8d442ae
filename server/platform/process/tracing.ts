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

let tracer: Tracer | undefined;

/** Returns whether the standard variables of OpenTelemetry ask for traces. */
const isTracingConfigured = (environment: NodeJS.ProcessEnv): boolean =>
  environment.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  environment.OTEL_TRACES_EXPORTER !== 'none' &&
  Boolean(
    environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ||
      environment.OTEL_EXPORTER_OTLP_ENDPOINT ||
      environment.OTEL_TRACES_EXPORTER,
  );

/**
 * Starts to record requests, statements and jobs if the environment has the variables of OpenTelemetry, whose packages
 * are loaded only then. Returns a function that sends the rest and stops. `warn` receives the complaints of the SDK.
 * Throws when the variables ask for something that is not supported.
 */
export const startTracing = async (
  environment: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): Promise<() => Promise<void>> => {
  if (!isTracingConfigured(environment)) return async () => {};
  const { createTracer } = await import('./opentelemetry.ts');
  const started = createTracer(environment, warn);
  tracer = started;
  return async () => {
    tracer = undefined;
    await started.stop();
  };
};

/** Returns whether spans are recorded. */
export const isTracing = (): boolean => tracer !== undefined;

/** Starts a span that the caller ends, or returns undefined when nothing is recorded. */
export const startSpan = (description: SpanDescription): Span | undefined => tracer?.startSpan(description);

/** Returns the current span, or undefined outside of recorded operations. */
export const findTraceContext = (): TraceContext | undefined => tracer?.findContext();

/** Returns what an error is called in a span: its code, such as an SQLSTATE, or its class. */
const getErrorType = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name;
};

/** Runs `work` in a span, which ends with it. Rethrows its error. */
export const runInSpan = async <Result>(
  description: SpanDescription,
  work: () => Promise<Result>,
): Promise<Result> => {
  const span = startSpan(description);
  if (!span) return work();
  try {
    return await span.run(work);
  } catch (error) {
    span.fail(getErrorType(error));
    throw error;
  } finally {
    span.end();
  }
};

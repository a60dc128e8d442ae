import type { Span, SpanDescription, TraceContext, Tracer } from './spans.ts';

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

import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Span, SpanDescription, Tracer } from './spans.ts';
import { stopWithTimeout } from './stop-with-timeout.ts';
import { serverVersion } from './version.ts';

/** How long the last spans may take to be sent, in ms. */
const stopTimeoutMs = 2_000;

const spanKinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** Returns the sampler that `OTEL_TRACES_SAMPLER` names; the SDK does not read this variable. */
const createSampler = (environment: NodeJS.ProcessEnv): Sampler => {
  const name = environment.OTEL_TRACES_SAMPLER || 'parentbased_always_on';
  const argument = environment.OTEL_TRACES_SAMPLER_ARG || '1';
  const samplers: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(Number(argument)),
  };
  const root = samplers[name.replace(/^parentbased_/, '')]?.();
  if (!root || !(Number(argument) >= 0 && Number(argument) <= 1)) {
    throw new Error(
      `Wrong configuration: OTEL_TRACES_SAMPLER must be ${Object.keys(samplers).join(', ')} or one of them after parentbased_, and OTEL_TRACES_SAMPLER_ARG a number from 0 to 1`,
    );
  }
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};

const assertSupportedProtocol = (environment: NodeJS.ProcessEnv): void => {
  const protocol = environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || environment.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol && protocol !== 'http/protobuf')
    throw new Error(
      `Wrong configuration: OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but must be http/protobuf`,
    );
  const exporter = environment.OTEL_TRACES_EXPORTER;
  if (exporter && exporter !== 'otlp')
    throw new Error(`Wrong configuration: OTEL_TRACES_EXPORTER is ${exporter}, but must be otlp or none`);
};

/** Returns what a complaint of the SDK says, which for an error is JSON with its stack. */
const readComplaint = (text: string): string => {
  try {
    return JSON.parse(text).message ?? text;
  } catch {
    return text;
  }
};

const toContext = (traceparent: string): Context => propagation.extract(ROOT_CONTEXT, { traceparent });

/**
 * Creates the tracer that sends spans by OTLP, and registers it as the global one of this process. The exporter and the
 * resource are configured by the standard variables (`OTEL_EXPORTER_OTLP_…`, `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`).
 */
export const createTracer = (environment: NodeJS.ProcessEnv, warn: (message: string) => void): Tracer => {
  assertSupportedProtocol(environment);
  const sampler = createSampler(environment);
  const complain = (text: string): void => warn(readComplaint(text));
  diag.setLogger(
    { error: complain, warn: complain, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'quad', 'service.version': serverVersion }))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
  const provider = new TracerProvider({
    resource,
    sampler,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  const tracer = provider.getTracer('quad', serverVersion);

  return {
    startSpan: ({ name, kind, attributes, parent }: SpanDescription): Span => {
      const within = parent === undefined ? context.active() : toContext(parent);
      const span = tracer.startSpan(name, { kind: spanKinds[kind], attributes }, within);
      const inside = trace.setSpan(within, span);
      return {
        traceId: span.spanContext().traceId,
        run: (work) => context.with(inside, work),
        rename: (newName, more) => void span.updateName(newName).setAttributes(more),
        fail: (errorType) =>
          void span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR }),
        end: () => span.end(),
      };
    },
    findContext: () => {
      const active = trace.getActiveSpan()?.spanContext();
      if (!active) return undefined;
      const carrier = { traceparent: '' };
      propagation.inject(context.active(), carrier);
      return { traceId: active.traceId, spanId: active.spanId, traceparent: carrier.traceparent };
    },
    stop: async () => {
      await stopWithTimeout(() => provider.shutdown(), stopTimeoutMs).catch((error: unknown) =>
        warn(String(error)),
      );
      trace.disable();
      context.disable();
      propagation.disable();
      diag.disable();
    },
  };
};

import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { getListeningPort } from './raw-socket.ts';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  kind: number;
  attributes: Record<string, string>;
}

type Fields = Map<number, (Buffer | number)[]>;

/** Reads the fields of a message of Protocol Buffers by number. Supports the wire types that OTLP uses. */
const readFields = (message: Buffer): Fields => {
  const fields: Fields = new Map();
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  const readBytes = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = readVarint();
    const wireType = tag % 8;
    const number = Math.floor(tag / 8);
    const value =
      wireType === 0 ? readVarint() : readBytes(wireType === 2 ? readVarint() : wireType === 1 ? 8 : 4);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
};

const listMessages = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((value) => readFields(value as Buffer));

const readText = (fields: Fields, number: number, encoding: 'utf8' | 'hex' = 'utf8'): string =>
  ((fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString(encoding);

const readAttributes = (fields: Fields, number: number): Record<string, string> =>
  Object.fromEntries(
    listMessages(fields, number).map((attribute) => {
      const [value = new Map()] = listMessages(attribute, 2);
      return [readText(attribute, 1), value.has(1) ? readText(value, 1) : String(value.get(3)?.[0])];
    }),
  );

/** Starts a collector that receives traces by OTLP (http/protobuf, opentelemetry/proto/trace/v1/trace.proto). */
export const startOtlpReceiver = async () => {
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await buffer(request));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const listResourceSpans = (): Fields[] => bodies.flatMap((body) => listMessages(readFields(body), 1));
  return {
    url: `http://127.0.0.1:${getListeningPort(server)}`,
    /** Everything that was received, as text. */
    text: () => Buffer.concat(bodies).toString('latin1'),
    resource: (): Record<string, string> =>
      Object.assign(
        {},
        ...listResourceSpans()
          .flatMap((each) => listMessages(each, 1))
          .map((it) => readAttributes(it, 1)),
      ),
    spans: (): ReceivedSpan[] =>
      listResourceSpans()
        .flatMap((each) => listMessages(each, 2))
        .flatMap((scope) => listMessages(scope, 2))
        .map((span) => ({
          traceId: readText(span, 1, 'hex'),
          spanId: readText(span, 2, 'hex'),
          parentId: readText(span, 4, 'hex'),
          name: readText(span, 5),
          kind: span.get(6)?.[0] as number,
          attributes: readAttributes(span, 9),
        })),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};

import type { TestApp } from './app.ts';
import type { AuthorizationFixtures } from './authorization-fixtures.ts';
import type { AuthorizationRow } from './authorization-table.ts';
import { buildMultipartBody, createTestPhoto, multipartContentType } from './photos.ts';

/** Returns the route of a row in the authorization table, without the text in parentheses. */
export const toRouteName = (name: string): string => name.replace(/ \(.*\)$/, '');

export const sendTableRequest = async (
  testApp: TestApp,
  name: string,
  { request }: Pick<AuthorizationRow, 'request'>,
  fixtures: AuthorizationFixtures,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> => {
  const [method = '', path = ''] = toRouteName(name).split(' ');
  const { params = {}, query, body, multipart } = request(fixtures);
  const url = path.replace(/\{([\w*]+)\}/g, (_, param: string) => String(params[param]));
  const sent: { payload?: object | Buffer; headers: Record<string, string> } = { headers: { ...headers } };
  if (body) sent.payload = body;
  if (multipart) {
    sent.headers['content-type'] = multipartContentType;
    const fields = Object.entries(multipart.fields ?? {}).map(
      ([field, value]) => `--xyz\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
    );
    const file = multipart.file
      ? buildMultipartBody({ bytes: await createTestPhoto() })
      : Buffer.from('--xyz--\r\n');
    sent.payload = Buffer.concat([Buffer.from(fields.join('')), file]);
  }
  const reply = await testApp.server.inject({
    method: method as 'GET',
    url: query ? `${url}?${query}` : url,
    ...sent,
  });
  return { status: reply.statusCode, text: reply.body };
};

import { fetchWithSession } from './api.ts';
import { createUnavailableError, toApiError } from './api-error.ts';

export interface DownloadedFile {
  name: string;
  content: Blob;
}

const filenameFromHeader = (header: string | null): string =>
  /filename="([^"]+)"/.exec(header ?? '')?.[1] ?? 'download';

/**
 * Downloads a file with the current session and reports the number of bytes received so far. Throws an ApiError when
 * the server refuses the request or the connection breaks.
 */
export const fetchFile = async (
  address: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<DownloadedFile> => {
  try {
    const response = await fetchWithSession(address, { signal });
    if (!response.ok) throw toApiError(response.status, await response.json());
    let bytes = 0;
    const countedBody = response.body?.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (chunk, out) => {
          bytes += chunk.length;
          onProgress(bytes);
          out.enqueue(chunk);
        },
      }),
    );
    const content = await new Response(countedBody ?? null, { headers: response.headers }).blob();
    return { name: filenameFromHeader(response.headers.get('content-disposition')), content };
  } catch (reason) {
    signal.throwIfAborted();
    throw reason instanceof TypeError || reason instanceof DOMException || reason instanceof SyntaxError
      ? createUnavailableError()
      : reason;
  }
};

export const saveDownloadedFile = ({ name, content }: DownloadedFile): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Revoke the object URL later, because the browser needs it until the download has started.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

import { crc32, deflateRawSync } from 'node:zlib';

/** Returns a minimal PDF of `length` bytes, padded with spaces. */
export const createPdf = (length = 200): Uint8Array<ArrayBuffer> => {
  const end = Buffer.from('\nstartxref\n9\n%%EOF\n');
  const pdf = Buffer.alloc(length, ' ');
  pdf.write('%PDF-1.7\n');
  end.copy(pdf, length - end.length);
  return Uint8Array.from(pdf);
};

interface ZipPart {
  name: string;
  content: string | Buffer;
  /** Size that the archive declares for the content, in bytes, if it should differ from the real size. */
  claimed?: number;
}

/** Returns a ZIP archive that contains these parts, compressed with deflate. */
export const createZip = (parts: ZipPart[]): Uint8Array<ArrayBuffer> => {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimed } of parts) {
    const bytes = Buffer.from(content);
    const compressed = deflateRawSync(bytes);
    const path = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(compressed.length, 14);
    shared.writeUInt32LE(claimed ?? bytes.length, 18);
    shared.writeUInt16LE(path.length, 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, compressed]);
    const location = Buffer.alloc(14);
    location.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, location, path]));
    files.push(file);
    offset += file.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Uint8Array.from(Buffer.concat([...files, ...directory, end]));
};

const wordContentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** Returns the parts of a minimal Word document (DOCX): its content types and its text. */
export const createDocxParts = (mainPart = 'word/document.xml', type = wordContentType): ZipPart[] => [
  {
    name: '[Content_Types].xml',
    content: `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${mainPart}" ContentType="${type}"/></Types>`,
  },
  {
    name: mainPart,
    content: `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="${wordNamespace}"><w:body/></w:document>`,
  },
];

const sectorBytes = 512;
const endOfChainMarker = 0xfffffffe;
const unusedEntryMarker = 0xffffffff;

interface DocOptions {
  /** Name of the only stream in the compound file. */
  stream?: string;
  /** First two bytes of the stream as a number; by default the signature of a Word document. */
  mark?: number;
  /** Changes bytes of the finished file, to corrupt it. */
  spoil?: (file: Buffer) => void;
}

/** Returns a DOC file, a compound file with one stream of 4,096 bytes: FAT in sector 0, directory in 1, stream from 2. */
export const createDocFile = ({
  stream = 'WordDocument',
  mark = 0xa5ec,
  spoil,
}: DocOptions = {}): Uint8Array<ArrayBuffer> => {
  const file = Buffer.alloc(sectorBytes * 11);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  file.writeUInt16LE(3, 26);
  file.writeUInt16LE(0xfffe, 28);
  file.writeUInt16LE(9, 30);
  file.writeUInt16LE(6, 32);
  file.writeUInt32LE(1, 44);
  file.writeUInt32LE(1, 48);
  file.writeUInt32LE(4096, 56);
  file.writeUInt32LE(endOfChainMarker, 60);
  file.writeUInt32LE(endOfChainMarker, 68);
  file.fill(0xff, 76, sectorBytes);
  file.writeUInt32LE(0, 76);
  const fat = file.subarray(sectorBytes, 2 * sectorBytes).fill(0xff);
  const chains = [0xfffffffd, endOfChainMarker, 3, 4, 5, 6, 7, 8, 9, endOfChainMarker];
  for (const [at, next] of chains.entries()) fat.writeUInt32LE(next, at * 4);
  const writeDirectoryEntry = (
    at: number,
    name: string,
    type: number,
    child: number,
    start: number,
    size: number,
  ) => {
    const slot = file.subarray(2 * sectorBytes + at * 128, 2 * sectorBytes + (at + 1) * 128);
    slot.write(name, 'utf16le');
    slot.writeUInt16LE((name.length + 1) * 2, 64);
    slot.writeUInt8(type, 66);
    slot.writeUInt32LE(unusedEntryMarker, 68);
    slot.writeUInt32LE(unusedEntryMarker, 72);
    slot.writeUInt32LE(child, 76);
    slot.writeUInt32LE(start, 116);
    slot.writeUInt32LE(size, 120);
  };
  writeDirectoryEntry(0, 'Root Entry', 5, 1, endOfChainMarker, 0);
  writeDirectoryEntry(1, stream, 2, unusedEntryMarker, 2, 4096);
  file.writeUInt16LE(mark, 3 * sectorBytes);
  spoil?.(file);
  return Uint8Array.from(file);
};

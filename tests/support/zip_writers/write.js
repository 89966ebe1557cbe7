// Packs the folder `m` into `$OUT` with a package of npm: `node write.js PACKAGE`.
const { readdirSync, readFileSync, readlinkSync, statSync, lstatSync, createWriteStream, writeFileSync } = require('fs');
const { Readable } = require('stream');
const load = require('module').createRequire(`${process.env.NODE_PATH}/x.js`);

const out = process.env.OUT;
const names = readdirSync('m', { recursive: true, withFileTypes: true }).map((each) => `${each.parentPath ?? each.path}/${each.name}`);
const files = names.filter((name) => !statSync(name).isDirectory()).sort();
const mode = (name) => statSync(name).mode & 0o777;
const done = (stream) => new Promise((resolve, reject) => stream.on('close', resolve).on('finish', resolve).on('error', reject));

const writers = {
  async archiver() {
    const archive = load('archiver')('zip');
    const target = archive.pipe(createWriteStream(out));
    archive.directory('m', 'm');
    await archive.finalize();
    await done(target);
  },
  async 'archiver-twice'() {
    const archive = load('archiver')('zip');
    const target = archive.pipe(createWriteStream(out));
    archive.directory('m/css', 'm/css');
    archive.directory('m', 'm', (entry) => (entry.name.startsWith('css/') && !entry.stats.isDirectory() ? false : entry));
    await archive.finalize();
    await done(target);
  },
  async jszip() {
    const zip = new (load('jszip'))();
    for (const name of files) zip.file(name, readFileSync(name), { unixPermissions: statSync(name).mode });
    writeFileSync(out, await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE', platform: 'UNIX' }));
  },
  async 'jszip-streams'() {
    const zip = new (load('jszip'))();
    for (const name of files) zip.file(name, Readable.from([readFileSync(name)]));
    writeFileSync(out, await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE', streamFiles: true }));
  },
  async 'jszip-empty-chunk'() {
    const zip = new (load('jszip'))();
    for (const name of files) zip.file(name, Readable.from([readFileSync(name)]));
    writeFileSync(out, await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }));
  },
  async 'adm-zip'() {
    const zip = new (load('adm-zip'))();
    for (const name of files) zip.addFile(name, readFileSync(name), '', mode(name));
    zip.writeZip(out);
  },
  async 'adm-zip-rewrites'() {
    await writers.archiver();
    const zip = new (load('adm-zip'))(out);
    zip.addFile('m/new.txt', Buffer.from('new\n'));
    zip.writeZip(out);
  },
  async yazl(options = {}) {
    const zip = new (load('yazl').ZipFile)();
    for (const name of files) zip.addFile(name, name, options);
    zip.end();
    await done(zip.outputStream.pipe(createWriteStream(out)));
  },
  'yazl-zip64': () => writers.yazl({ forceZip64Format: true }),
  async fflate() {
    const { zipSync } = load('fflate');
    const content = files.map((name) => [name, [readFileSync(name), { os: 3, attrs: statSync(name).mode << 16 }]]);
    writeFileSync(out, zipSync(Object.fromEntries(content)));
  },
  async 'zip.js'() {
    const { ZipWriter, Uint8ArrayWriter } = load('@zip.js/zip.js');
    const zip = new ZipWriter(new Uint8ArrayWriter());
    for (const name of files) await zip.add(name, new Blob([readFileSync(name)]).stream());
    writeFileSync(out, await zip.close());
  },
  async pizzip() {
    const zip = new (load('pizzip'))();
    for (const name of files) zip.file(name, readFileSync(name), { unixPermissions: statSync(name).mode });
    writeFileSync(out, zip.generate({ type: 'nodebuffer', compression: 'DEFLATE', platform: 'UNIX' }));
  },
  async 'client-zip'() {
    const { downloadZip } = await import(`${process.env.NODE_PATH}/client-zip/index.js`);
    const content = files.map((name) => ({ name, input: new Uint8Array(readFileSync(name)), lastModified: new Date() }));
    writeFileSync(out, Buffer.from(await downloadZip(content).arrayBuffer()));
  },
  async 'zip-lib'() {
    await load('zip-lib').archiveFolder('.', out, { followSymlinks: false });
  },
};
writers[process.argv[2]]().catch((error) => { console.error(error); process.exit(1); });

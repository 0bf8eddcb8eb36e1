// A computer for one run of the command: files in memory, standard streams, a working folder. Go's packages syscall and os for
// js/wasm call what Node.js calls fs, process and path; this module has as much of them as those packages use.

// home is the working folder. Files with relative paths stand in it.
export const home = "/home";

// roomForFiles bounds the bytes of all files: a program that writes without end runs out of space, as on a disk.
const roomForFiles = 256 << 20;

// unread bounds the bytes of output that the receiver has not confirmed. A program that prints more waits.
const unread = 1 << 20;

const constants = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 0o100, O_EXCL: 0o200, O_TRUNC: 0o1000, O_APPEND: 0o2000, O_DIRECTORY: 0o200000 };
const modeFolder = 0o40000, modeFile = 0o100000, modeStream = 0o20000;

class HostError extends Error {
  constructor(code, path) {
    super(path === undefined ? code : `${code}: ${path}`);
    this.code = code;
  }
}

// Streams are the three files that a run begins with. output(stream, bytes) takes what is written to 1 and 2.
class Streams {
  #output;
  #unread = 0;
  #waiting = []; // writers that wait until output is confirmed
  #input = []; // bytes that nobody has read yet
  #closed = false;
  #reader = null; // that waits for input

  constructor(output) {
    this.#output = output;
  }

  // take gives bytes to the receiver and calls done when there is room for more.
  take(stream, bytes, done) {
    this.#output(stream, bytes);
    this.#unread += bytes.length;
    if (this.#unread > unread) this.#waiting.push(done);
    else done();
  }

  // confirm tells that the receiver has used bytes of output.
  confirm(count) {
    this.#unread -= count;
    while (this.#unread <= unread && this.#waiting.length > 0) this.#waiting.shift()();
  }

  // write adds bytes to the input.
  write(bytes) {
    if (bytes.length > 0 && !this.#closed) this.#input.push(bytes);
    this.#serve();
  }

  // close ends the input.
  close() {
    this.#closed = true;
    this.#serve();
  }

  // read fills a buffer with input as soon as there is some; 0 bytes are the end.
  read(buffer, done) {
    this.#reader = { buffer, done };
    this.#serve();
  }

  #serve() {
    if (this.#reader === null || this.#input.length === 0 && !this.#closed) return;
    const { buffer, done } = this.#reader;
    this.#reader = null;
    if (this.#input.length === 0) {
      done(0);
      return;
    }
    const bytes = this.#input[0], count = Math.min(bytes.length, buffer.length);
    buffer.set(bytes.subarray(0, count));
    if (count === bytes.length) this.#input.shift();
    else this.#input[0] = bytes.subarray(count);
    done(count);
  }
}

// resolve is the absolute path of a name, without "." and "..".
function resolve(cwd, name) {
  const parts = [];
  for (const part of (name.startsWith("/") ? name : `${cwd}/${name}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return "/" + parts.join("/");
}

// Disk holds folders and files by their paths.
class Disk {
  #nodes = new Map();
  #used = 0;
  #next = 1;

  constructor() {
    this.#nodes.set("/", this.#node(modeFolder | 0o755));
  }

  #node(mode) {
    const now = Date.now();
    return { inode: this.#next++, mode, data: new Uint8Array(0), size: 0, times: { changed: now, read: now }, fresh: true };
  }

  get(path) {
    const node = this.#nodes.get(path);
    if (node === undefined) throw new HostError(this.#underFile(path) ? "ENOTDIR" : "ENOENT", path);
    return node;
  }

  has(path) {
    return this.#nodes.has(path);
  }

  #underFile(path) {
    const above = this.#nodes.get(parent(path));
    return above !== undefined && !isFolder(above);
  }

  folder(path) {
    const node = this.get(path);
    if (!isFolder(node)) throw new HostError("ENOTDIR", path);
    return node;
  }

  make(path, mode) {
    if (this.has(path)) throw new HostError("EEXIST", path);
    this.folder(parent(path));
    const node = this.#node(mode);
    this.#nodes.set(path, node);
    return node;
  }

  // makeAll makes a folder and those above it.
  makeAll(path) {
    if (this.has(path)) {
      this.folder(path);
      return;
    }
    this.makeAll(parent(path));
    this.make(path, modeFolder | 0o755);
  }

  names(path) {
    this.folder(path);
    const before = path === "/" ? "/" : path + "/";
    return this.paths().filter(p => p !== "/" && p.startsWith(before) && !p.slice(before.length).includes("/")).map(p => p.slice(before.length));
  }

  paths() {
    return [...this.#nodes.keys()].sort();
  }

  // resize gives a file a length; what is new is zero.
  resize(node, size) {
    if (size < 0 || !Number.isSafeInteger(size)) throw new HostError("EINVAL");
    if (this.#used + size - node.size > roomForFiles) throw new HostError("ENOSPC");
    this.#used += size - node.size;
    if (size > node.data.length) {
      const data = new Uint8Array(Math.max(size, Math.min(2 * node.data.length, size + (16 << 20))));
      data.set(node.data.subarray(0, node.size));
      node.data = data;
    } else if (size < node.size) {
      node.data.fill(0, size, node.size);
    }
    node.size = size;
    changed(node);
  }

  write(node, bytes, at) {
    if (at + bytes.length > node.size) this.resize(node, at + bytes.length);
    node.data.set(bytes, at);
    changed(node);
  }

  remove(path, folder) {
    const node = this.get(path);
    if (isFolder(node) !== folder) throw new HostError(folder ? "ENOTDIR" : "EISDIR", path);
    if (folder && (path === "/" || this.names(path).length > 0)) throw new HostError("ENOTEMPTY", path);
    this.#nodes.delete(path);
    this.#used -= node.size;
  }

  rename(from, to) {
    const node = this.get(from);
    this.folder(parent(to));
    if (to === from) return;
    if (to.startsWith(from + "/")) throw new HostError("EINVAL", to);
    if (this.has(to)) {
      if (isFolder(node) !== isFolder(this.get(to))) throw new HostError(isFolder(node) ? "ENOTDIR" : "EISDIR", to);
      this.remove(to, isFolder(node));
    }
    for (const path of this.paths()) {
      if (path !== from && !path.startsWith(from + "/")) continue;
      this.#nodes.set(to + path.slice(from.length), this.#nodes.get(path));
      this.#nodes.delete(path);
    }
    node.fresh = true;
  }
}

const parent = path => path.slice(0, path.lastIndexOf("/")) || "/";
const isFolder = node => (node.mode & modeFolder) !== 0;

function changed(node) {
  node.fresh = true;
  node.times.changed = Date.now();
}

const status = node => ({
  dev: 1, ino: node.inode, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: node.size, blksize: 4096, blocks: Math.ceil(node.size / 512),
  atimeMs: node.times.read, mtimeMs: node.times.changed, ctimeMs: node.times.changed, isDirectory: () => isFolder(node),
});

// Host is the computer. files maps paths, relative to the working folder, to texts or bytes; output(stream, bytes) takes what is
// written to standard output (1) and to standard error (2).
export class Host {
  #disk = new Disk();
  #open = new Map(); // descriptors of files
  #nextDescriptor = 3;
  #cwd = home;

  constructor(files, output) {
    this.streams = new Streams(output);
    for (const folder of [home, "/tmp"]) this.#disk.makeAll(folder);
    for (const [name, contents] of Object.entries(files)) {
      const path = resolve(home, name), bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
      this.#disk.makeAll(parent(path));
      this.#disk.write(this.#disk.make(path, modeFile | 0o644), bytes, 0);
    }
    for (const path of this.#disk.paths()) this.#disk.get(path).fresh = false;
    this.path = { resolve: (...names) => names.reduce(resolve, this.#cwd) };
    this.process = {
      pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [0], umask: () => 0o22,
      cwd: () => this.#cwd,
      chdir: name => {
        const path = this.#path(name);
        this.#disk.folder(path);
        this.#cwd = path;
      },
    };
    this.fs = this.#calls();
  }

  // changedFiles are those that the run wrote, by their paths in the working folder.
  changedFiles() {
    const files = {};
    for (const path of this.#disk.paths()) {
      const node = this.#disk.get(path);
      if (node.fresh && !isFolder(node) && path.startsWith(home + "/")) files[path.slice(home.length + 1)] = node.data.slice(0, node.size);
    }
    return files;
  }

  #path(name) {
    return resolve(this.#cwd, name);
  }

  #file(descriptor) {
    const file = this.#open.get(descriptor);
    if (file === undefined) throw new HostError("EBADF");
    return file;
  }

  #openFile(name, flags, mode) {
    const path = this.#path(name);
    let node;
    if (flags & constants.O_CREAT && !this.#disk.has(path)) {
      node = this.#disk.make(path, modeFile | mode & 0o777 & ~0o22);
    } else {
      node = this.#disk.get(path);
      if (flags & constants.O_CREAT && flags & constants.O_EXCL) throw new HostError("EEXIST", path);
      if (flags & constants.O_DIRECTORY) this.#disk.folder(path);
      const writes = (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
      if (writes && isFolder(node)) throw new HostError("EISDIR", path);
      if (flags & constants.O_TRUNC) this.#disk.resize(node, 0);
    }
    const descriptor = this.#nextDescriptor++;
    this.#open.set(descriptor, { node, at: 0, append: (flags & constants.O_APPEND) !== 0 });
    return descriptor;
  }

  #read(descriptor, bytes, position) {
    const file = this.#file(descriptor);
    if (isFolder(file.node)) throw new HostError("EISDIR");
    const at = position ?? file.at, part = file.node.data.subarray(at, Math.max(at, Math.min(file.node.size, at + bytes.length)));
    bytes.set(part);
    if (position === null) file.at += part.length;
    return part.length;
  }

  #write(descriptor, bytes, position) {
    const file = this.#file(descriptor), at = file.append ? file.node.size : position ?? file.at;
    this.#disk.write(file.node, bytes, at);
    if (position === null) file.at = at + bytes.length;
    return bytes.length;
  }

  #descriptorStatus(descriptor) {
    if (descriptor <= 2) return { ...status({ inode: 0, mode: modeStream | 0o620, size: 0, times: { changed: 0, read: 0 } }) };
    return status(this.#file(descriptor).node);
  }

  #setMode(node, mode) {
    node.mode = node.mode & ~0o777 | mode & 0o777;
  }

  #setTimes(node, read, written) {
    node.times = { read: read * 1000, changed: written * 1000 };
  }

  // calls are the functions of fs. Each tells its callback an error or a value.
  #calls() {
    const disk = this.#disk, at = name => this.#path(name), streams = this.streams;
    const call = f => (...args) => {
      const callback = args.pop();
      let value;
      try {
        value = f(...args);
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        callback(error);
        return;
      }
      callback(null, value);
    };
    const refuse = code => call(() => { throw new HostError(code); });
    const read = call((descriptor, buffer, offset, length, position) => this.#read(descriptor, buffer.subarray(offset, offset + length), position));
    const write = call((descriptor, buffer, offset, length, position) => this.#write(descriptor, buffer.subarray(offset, offset + length), position));
    return {
      constants,
      open: call((name, flags, mode) => this.#openFile(name, flags, mode)),
      close: call(descriptor => { this.#open.delete(descriptor); }),
      read: (descriptor, buffer, offset, length, position, callback) => {
        if (descriptor === 0) streams.read(buffer.subarray(offset, offset + length), count => callback(null, count));
        else read(descriptor, buffer, offset, length, position, callback);
      },
      write: (descriptor, buffer, offset, length, position, callback) => {
        if (descriptor === 1 || descriptor === 2) streams.take(descriptor, buffer.slice(offset, offset + length), () => callback(null, length));
        else write(descriptor, buffer, offset, length, position, callback);
      },
      // The runtime tells why it ends; nobody could wait for room any more.
      writeSync: (descriptor, buffer) => {
        streams.take(descriptor, buffer.slice(), () => {});
        return buffer.length;
      },
      stat: call(name => status(disk.get(at(name)))),
      lstat: call(name => status(disk.get(at(name)))),
      fstat: call(descriptor => this.#descriptorStatus(descriptor)),
      mkdir: call((name, mode) => { disk.make(at(name), modeFolder | mode & 0o777); }),
      readdir: call(name => disk.names(at(name))),
      rename: call((from, to) => disk.rename(at(from), at(to))),
      unlink: call(name => disk.remove(at(name), false)),
      rmdir: call(name => disk.remove(at(name), true)),
      truncate: call((name, size) => disk.resize(disk.get(at(name)), size)),
      ftruncate: call((descriptor, size) => disk.resize(this.#file(descriptor).node, size)),
      chmod: call((name, mode) => this.#setMode(disk.get(at(name)), mode)),
      fchmod: call((descriptor, mode) => this.#setMode(this.#file(descriptor).node, mode)),
      utimes: call((name, read, written) => this.#setTimes(disk.get(at(name)), read, written)),
      fsync: call(() => {}),
      chown: call(() => {}),
      fchown: call(() => {}),
      lchown: call(() => {}),
      readlink: refuse("EINVAL"), // nothing is a link
      link: refuse("EPERM"),
      symlink: refuse("EPERM"),
    };
  }
}

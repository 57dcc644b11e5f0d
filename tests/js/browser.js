// Parts of a browser, as far as the scripts use them.

/** A storage whose keys are its properties, as in a browser. */
export class MemoryStorage {
  setItem(key, text) {
    this[key] = String(text);
  }

  removeItem(key) {
    delete this[key];
  }
}

/** Replace a global of Node until the test is over. */
export function replaceGlobal(context, name, value) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, {value, configurable: true, writable: true});
  context.after(() => {
    if (before) Object.defineProperty(globalThis, name, before);
    else delete globalThis[name];
  });
}

/** Let a test have an empty storage; return it. */
export function emptyStorage(context) {
  const storage = new MemoryStorage();
  replaceGlobal(context, "localStorage", storage);
  return storage;
}

/** Let a test have a browser that keeps nothing between pages. */
export function forbiddenStorage(context) {
  const refuse = () => { throw new DOMException("denied", "SecurityError"); };
  replaceGlobal(context, "localStorage", new Proxy({}, {get: refuse, ownKeys: refuse}));
}

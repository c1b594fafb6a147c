import http from 'node:http';

// Preloaded into a server to shift its clock. For a phone this is the same as having a wrong clock itself.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + shiftMs);
    else super(...values);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};

const { writeHead } = http.ServerResponse.prototype;
http.ServerResponse.prototype.writeHead = function writeDatedHead(...head) {
  this.setHeader('Date', new Date().toUTCString());
  return writeHead.apply(this, head);
};

// Serves the page, the model and onnxruntime-web to this computer only.
//
//   node web/serve.js [FOLDER of digits.onnx [NODE_MODULES [PORT]]]
'use strict';
const fs = require('fs');
const http = require('http');
const path = require('path');

const types = { '.html': 'text/html; charset=utf-8', '.css': 'text/css',
  '.js': 'text/javascript', '.mjs': 'text/javascript',
  '.json': 'application/json', '.wasm': 'application/wasm',
  '.onnx': 'application/octet-stream' };

// The only files there are.
function listFiles(folder, modules) {
  const dist = path.join(modules, 'onnxruntime-web', 'dist');
  const files = { '/': path.join(__dirname, 'index.html') };
  for (const name of ['style.css', 'page.js', 'picture.js'])
    files['/' + name] = path.join(__dirname, name);
  for (const name of ['digits.onnx', 'digits.json'])
    files['/' + name] = path.join(folder, name);
  for (const name of ['ort.wasm.min.mjs', 'ort-wasm-simd-threaded.mjs',
    'ort-wasm-simd-threaded.wasm'])
    files['/ort/' + name] = path.join(dist, name);
  return files;
}

function serve(folder, modules, port, listening) {
  const files = listFiles(folder, modules);
  const server = http.createServer((request, response) => {
    const file = files[request.url.split('?')[0]];
    if (!file || !fs.existsSync(file)) {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('not found\n');
      return;
    }
    response.writeHead(200, { 'Content-Type': types[path.extname(file)] });
    fs.createReadStream(file).pipe(response);
  });
  server.listen(port, '127.0.0.1', () => listening(server.address().port));
  return server;
}

module.exports = { serve };

if (require.main === module) {
  const [folder = '.', modules = 'node_modules', port = '8080'] =
    process.argv.slice(2);
  serve(folder, modules, Number(port), (open) =>
    console.log(`open http://127.0.0.1:${open}/ in a browser`));
}

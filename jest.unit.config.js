module.exports = require('./test/suites.js').unit;

module.exports = require('./test/suites.js').properties;
